"""The mechanics that every map shares: claiming routes, tunnels, tickets. They state costs and know no economy."""
