const NAMESPACE = 'io.modelcontextprotocol/'

/** Keys of `_meta` in the modern era. */
export const META_VERSION = `${NAMESPACE}protocolVersion`
export const META_CLIENT_INFO = `${NAMESPACE}clientInfo`
export const META_CLIENT_CAPABILITIES = `${NAMESPACE}clientCapabilities`
export const META_LOG_LEVEL = `${NAMESPACE}logLevel`
export const META_SERVER_INFO = `${NAMESPACE}serverInfo`
export const META_SUBSCRIPTION = `${NAMESPACE}subscriptionId`
/** The tasks extension, by its name among capabilities. */
export const TASKS_EXTENSION = `${NAMESPACE}tasks`
