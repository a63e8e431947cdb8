"""Names that the integration's files share."""

from homeassistant.const import Platform

DOMAIN = "tingdong"
PLATFORMS = [Platform.CONVERSATION]
TIMEOUT_SECONDS = 15
