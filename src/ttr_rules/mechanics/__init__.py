"""The mechanics shared by all maps. They state costs and know no economy.

`claims` covers routes, ferries, and entering tunnels (C1–C7, F1, T1), `tunnels` what follows there (T2, T4, T8),
`tickets` and `ticket_mix` set-up and draws (S7, K1–K3). `rules.toml` has the texts of the rules. Which cards a
tunnel turns up, and what pays for it (T3, T5, T6), is up to the economy: see `ttr_rules.train_cards`.
"""
