/** The types of Swagger UI that this page uses, because the package has none. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUIOptions {
    dom_id: string
    url: string
    deepLinking: boolean
    defaultModelsExpandDepth: number
    displayRequestDuration: boolean
    persistAuthorization: boolean
    tryItOutEnabled: boolean
    validatorUrl: string | null
  }
  export default function SwaggerUI(options: SwaggerUIOptions): void
}
