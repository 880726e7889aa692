/** The two interfaces, to read and to try: Swagger UI over their OpenAPI documents. A key that is entered stays in this page. */
import 'swagger-ui-dist/swagger-ui.css'
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import './docs.css'

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const isOperators = new URLSearchParams(location.search).get('of') === 'operator'
const current = document.querySelector(isOperators ? '#operator' : '#partner')
current?.setAttribute('aria-current', 'page')
if (isOperators) document.title = document.title.replace('Partner', 'Operator’s')

SwaggerUI({
  dom_id: '#page',
  url: isOperators ? '/admin/v1/openapi.json' : '/openapi.json',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  // Swagger's public validator would be told the address of this service.
  validatorUrl: null,
})
