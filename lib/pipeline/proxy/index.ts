/** The proxy of the package. */
export { createProxy, type Proxy, type ProxyOptions } from './create-proxy'
export type { ProxyTimeouts } from './forward'
export { openPolicyFile, type PolicyFile } from './policy-file'
export { type RequestSummary, writeSummary } from './proxy-metrics'
