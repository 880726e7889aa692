/** The proxy through which the service calls others, and which calls go through it. Pure. */
import { isAllowed, isLoopbackHost, targetPolicy } from './delivery/target.ts'

export interface ProxyPlace {
  /** http:// or https://, with user and password where the proxy asks for them. */
  url: string
  /** Host names (`*.` for all below), addresses and CIDR ranges that are called directly. */
  bypass: readonly string[]
  /** Whether the proxy resolves the names of receivers, and not the service. */
  resolves: boolean
}

interface ProxySettings {
  proxy?: string | undefined
  proxyPassword?: string | undefined
  proxyBypass: readonly string[]
  proxyResolves: boolean
}

/** Undefined where there is no proxy. */
export function proxyOf({ proxy, proxyPassword, proxyBypass, proxyResolves }: ProxySettings): ProxyPlace | undefined {
  if (proxy === undefined) return undefined
  const url = new URL(proxy)
  if (proxyPassword !== undefined) url.password = encodeURIComponent(proxyPassword)
  return { url: url.href, bypass: proxyBypass, resolves: proxyResolves }
}

/** Returns the proxy for calls to a host; undefined where the host is called directly, as this machine always is. */
export const proxyFor = (host: string, proxy: ProxyPlace | undefined): ProxyPlace | undefined =>
  proxy && !isLoopbackHost(host) && !isAllowed(host, targetPolicy(false, proxy.bypass)) ? proxy : undefined
