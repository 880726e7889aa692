/** Single sign-on as an operator sets it up: on the command line, with its secret in a file, and behind a proxy. */
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { aFolder } from '../../support/a-folder.ts'
import { freePort } from '../../support/network/free-port.ts'
import { countersign, type Served, serve } from '../../support/service/served.ts'
import { aBrowser } from '../../support/sign-on/a-browser.ts'
import { aHostileProvider } from '../../support/sign-on/a-hostile-provider.ts'
import { aProvider } from '../../support/sign-on/a-provider.ts'
import { aServiceWithSignOn, CLIENT, callbackOf, PASSWORD } from '../../support/sign-on/a-service-with-sign-on.ts'

const ROBIN = 'robin@ops.example'

describe('Single sign-on that is set up on the command line', function () {
  this.timeout(60_000)

  it('takes the secret from a file or the environment, and logs a code when it is wrong', async () => {
    const [data, port] = [aFolder(), await freePort()]
    const publicUrl = `http://127.0.0.1:${port}`
    const people = { robin: { email: ROBIN, email_verified: true } }
    const provider = await aProvider([{ ...CLIENT, redirectUri: callbackOf(publicUrl) }], people)
    const env = { COUNTERSIGN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
    const file = join(aFolder(), 'secret')
    writeFileSync(file, `${CLIENT.secret}\n`)
    const who = ['--email', ROBIN, '--name', 'Robin Hale', '--role', 'operator']
    expect((await countersign(['people', 'create', '--data', data, ...who], env, `${PASSWORD}\n`)).code).to.equal(0)
    const options = ['--oidc-issuer', provider.issuer, '--oidc-client-id', CLIENT.id, '--public-url', publicUrl]
    const running: Served[] = []
    const started = async (more: string[], secret: object = {}) => {
      const service = await serve(['--data', data, '--port', String(port), ...options, ...more], { ...env, ...secret })
      running.push(service)
      return service
    }
    const signIn = async () => {
      const browser = aBrowser()
      const { providerUrl } = await browser.begin(publicUrl, '/console')
      const { status } = await browser.comeBack(await browser.signInAt(providerUrl, 'robin'))
      const { visitor, signOn } = await browser.account(publicUrl)
      return [status, visitor?.email, signOn?.name]
    }
    const host = new URL(provider.issuer).host
    try {
      const withFile = await started(['--oidc-client-secret-file', file])
      expect(await signIn()).to.deep.equal([303, ROBIN, host])
      await withFile.stop()
      const wrong = await started(['--oidc-name', 'Ops'], { COUNTERSIGN_OIDC_CLIENT_SECRET: 'another secret' })
      expect(await signIn()).to.deep.equal([403, undefined, 'Ops'])
      expect(wrong.log())
        .to.include('single sign-on failed')
        .and.to.include('"code":"OAUTH_WWW_AUTHENTICATE_CHALLENGE"')
      expect(wrong.log()).not.to.include('another secret').and.not.to.include(ROBIN)
      const unlinked = await countersign(['people', 'unlink', '--data', data, '--email', ROBIN], env)
      expect([unlinked.code, unlinked.stderr]).to.deep.equal([0, ''])
    } finally {
      for (const service of running) await service.kill()
      await provider.stop()
    }
  })

  it('gives host-bound, secure cookies behind a proxy', async () => {
    const provider = await aHostileProvider()
    const origin = 'https://sign.example.org'
    const accounts = [{ email: 'ruth@practice.example', name: 'Ruth Hale', role: 'operator' }] as const
    const options = { publicUrl: origin }
    const service = await aServiceWithSignOn({ port: await freePort(), issuer: provider.issuer, accounts, options })
    /** As the proxy passes it on. */
    const ask = (method: string, path: string, headers: object, body = '') =>
      new Promise<{ status: number; cookies: string[]; text: string }>((resolve, reject) => {
        const asking = request(`${service.baseUrl}${path}`, {
          method,
          headers: { host: 'sign.example.org', ...headers },
        })
        asking.on('error', reject).on('response', (answer) => {
          let text = ''
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
          answer.on('end', () =>
            resolve({ status: answer.statusCode!, cookies: answer.headers['set-cookie'] ?? [], text }),
          )
        })
        asking.end(body)
      })
    try {
      const headers = { origin, 'content-type': 'application/json' }
      const begun = await ask('POST', '/account/api/sign-on', headers, JSON.stringify({ returnTo: '/console' }))
      const [secret = ''] = begun.cookies
      expect(secret).to.match(/^__Host-countersign-sign-on=[\w-]{43}; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
      const { url } = JSON.parse(begun.text) as { url: string }
      expect(new URL(url).searchParams.get('redirect_uri')).to.equal(`${origin}/account/sign-on`)
      const { pathname, search } = new URL(provider.backFrom(url))
      // Beyond loopback, a cookie without the prefix may have been planted by a neighbouring host.
      const [bare = ''] = secret.slice('__Host-'.length).split(';')
      expect((await ask('GET', pathname + search, { cookie: bare })).status).to.equal(400)
      const back = await ask('GET', pathname + search, { cookie: secret.split(';')[0] })
      expect(back.status).to.equal(303)
      expect(back.cookies[1]).to.match(/^__Host-countersign-console=[\w-]{43}; .*HttpOnly; Secure; SameSite=Strict$/)
    } finally {
      await service.stop()
      await provider.stop()
    }
  })
})
