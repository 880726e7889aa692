/** The interfaces, to read and to try: Swagger UI over their OpenAPI documents. A key that is entered stays in this page. */
import 'swagger-ui-dist/swagger-ui.css'
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import type { Account } from '../../http/callers/account.ts'
import { call, SESSION } from '../shared/api.ts'
import './docs.css'

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

interface Interface {
  url: string
  title: string
}
const interfaces: Readonly<Record<string, Interface>> = {
  partner: { url: '/openapi.json', title: 'Partner interface' },
  operator: { url: '/admin/v1/openapi.json', title: 'Operator’s interface' },
  sandbox: { url: '/sandbox/v1/openapi.json', title: 'Sandbox' },
}
const PARTNER = 'partner'
const asked = new URLSearchParams(location.search).get('of') ?? PARTNER
const name = asked in interfaces ? asked : PARTNER
const { url, title } = interfaces[name] as Interface
document.querySelector(`#${name}`)?.setAttribute('aria-current', 'page')
document.title = document.title.replace('Partner interface', title)

const { isTest } = await call<Account>('GET', SESSION, undefined, { isUse: false })
document.querySelector('#sandbox')?.toggleAttribute('hidden', !isTest)

SwaggerUI({
  dom_id: '#page',
  url,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  // Swagger's public validator would be told the address of this service.
  validatorUrl: null,
})

// Swagger UI gives the choice of a server no name for people who do not see it, and renders it again at will.
new MutationObserver(() => {
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server')
}).observe(document.body, { childList: true, subtree: true })
