"""The pages of the web app; each module declares its routes with ``page``."""
