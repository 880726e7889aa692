/** What a browser does in single sign-on: keeps the cookies of each host, follows redirects, fills in forms. */
import { overhear } from '../overheard.ts'

export interface Page {
  url: string
  status: number
  headers: Headers
  text: string
}

export type TestBrowser = ReturnType<typeof aBrowser>

export function aBrowser() {
  /** Cookies by host and port, by name. Browsers share them between ports; two services on one machine are two hosts here. */
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }

  /** One request, without following where it leads. */
  async function ask(method: string, url: string, { headers = {}, body }: { headers?: object; body?: string } = {}) {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { ...(cookie && { cookie }), ...headers },
      body: body ?? null,
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const text = await response.text()
    return { url, status: response.status, headers: response.headers, text }
  }

  const targetOf = ({ url, headers }: Page) => {
    const location = headers.get('location')
    return location === null ? null : new URL(location, url).href
  }

  /** Follows redirects until a page answers, or one leads to what `isEnd` names; returns where it ended. */
  async function follow(start: string, isEnd: (url: string) => boolean): Promise<{ url: string; page: Page | null }> {
    for (let url = start; ; ) {
      if (isEnd(url)) return { url, page: null }
      const page = await ask('GET', url)
      const next = targetOf(page)
      if (next === null) return { url, page }
      url = next
    }
  }

  return {
    jarOf,
    ask,
    follow,

    /** A page of the service begins a sign-in. */
    async begin(baseUrl: string, returnTo = '/inbox', origin = baseUrl) {
      const body = JSON.stringify({ returnTo })
      const headers = { origin, 'content-type': 'application/json' }
      const page = await ask('POST', `${baseUrl}/account/api/sign-on`, { headers, body })
      if (page.status >= 400) overhear(page.text)
      const answer = JSON.parse(page.text) as { url?: string; errors?: string[] }
      return { ...page, providerUrl: answer.url ?? '', errors: answer.errors ?? [] }
    },

    /** Signs in to the provider in its forms, and returns the URL that it sends the browser back to. */
    async signInAt(providerUrl: string, login: string): Promise<string> {
      const { origin } = new URL(providerUrl)
      const isBack = (url: string) => !url.startsWith(`${origin}/`)
      let { url, page } = await follow(providerUrl, isBack)
      while (page !== null) {
        const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
        const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page.text) ?? []
        if (action === '') throw new Error(`The provider answered ${page.status} without a form.`)
        const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }).toString()
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const sent = await ask('POST', new URL(action, url).href, { headers, body })
        ;({ url, page } = await follow(targetOf(sent)!, isBack))
      }
      return url
    },

    /** Comes back to the service. */
    async comeBack(url: string): Promise<Page & { location: string | null }> {
      const page = await ask('GET', url)
      if (page.status >= 400) overhear(page.text)
      return { ...page, location: page.headers.get('location') }
    },

    /** Who the service takes the browser for. */
    async account(baseUrl: string) {
      const { text } = await ask('GET', `${baseUrl}/account/api/session`)
      return JSON.parse(text) as import('../../../server/http/callers/account.ts').Account
    },
  }
}
