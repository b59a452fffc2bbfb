"""The mechanics shared by all maps. They state costs and know no economy.

`claims` covers routes, ferries, and entering tunnels (C3–C7), `tunnels` what follows there (T4, T8),
`tickets` and `ticket_mix` set-up and draws (S7, K1–K3). `rules.toml` has the texts of the rules. What a route
or a tunnel costs and what pays for it is up to the economy.
"""
