/** Single sign-on from beginning to end: a service, the provider that it knows, and people whom both know. */
import { freePort } from '../network/free-port.ts'
import { SIGNER } from '../service/a-create-body.ts'
import { aBrowser } from './a-browser.ts'
import { aProvider, type Subject, type TestProvider } from './a-provider.ts'
import {
  aServiceWithSignOn,
  CLIENT,
  callbackOf,
  type ServiceWithSignOn,
  type WithSignOn,
} from './a-service-with-sign-on.ts'

export const RUTH = 'ruth@practice.example'
export const ROBIN = 'robin@ops.example'
export const accounts = [
  { email: RUTH, name: 'Ruth Calder', role: 'signer', npi: SIGNER.calder },
  { email: ROBIN, name: 'Robin Hale', role: 'operator' },
  { email: 'other@ops.example', name: 'Other Hale', role: 'operator' },
] as const

/** A provider, and a service that knows it. Stops both afterwards. */
export async function withBoth(
  { people, options = {} }: { people: Record<string, Subject>; options?: WithSignOn['options'] },
  run: (service: ServiceWithSignOn, provider: TestProvider) => Promise<void>,
) {
  const port = await freePort()
  const provider = await aProvider([{ ...CLIENT, redirectUri: callbackOf(`http://127.0.0.1:${port}`) }], people)
  const service = await aServiceWithSignOn({ port, issuer: provider.issuer, accounts, options })
  try {
    await run(service, provider)
  } finally {
    await service.stop()
    await provider.stop()
  }
}

/** Signs in from beginning to end, and returns the page that it ended on. */
export async function signsOn(service: ServiceWithSignOn, login: string, browser = aBrowser(), returnTo = '/inbox') {
  const { providerUrl } = await browser.begin(service.baseUrl, returnTo)
  const page = await browser.comeBack(await browser.signInAt(providerUrl, login))
  const { visitor } = await browser.account(service.baseUrl)
  return { ...page, browser, email: visitor?.email ?? null }
}

export const verified = (email: string): Subject => ({ email, email_verified: true })
