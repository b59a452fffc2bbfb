"""The mechanics that every map shares: turns, claiming routes, tunnels, tickets, train cards."""
