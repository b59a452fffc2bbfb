"""The mechanics shared by all maps. They state costs. The economy decides how these are paid.

`claims` covers routes, ferries, and entering tunnels (C3–C6), `tunnels` paying the extra cost of a tunnel or abandoning it
(T4, T8), `tickets` and `ticket_mix` set-up and draws (S7, K1–K3). `rules.toml` has the texts of the rules.
"""
