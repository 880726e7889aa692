/**
 * A collection of requests for Bruno (usebruno.com), made of the OpenAPI document: `bruno/` in the package. Its requests run in their
 * order against a sandbox: they create a task, sign it as only a sandbox can, record it, and retract another one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskStatus } from '../lib/contract/task/task.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  example?: unknown
}

interface Operation {
  operationId: string
  summary?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

interface Request {
  name: string
  method: string
  path: string
  parameters?: readonly Parameter[]
  body?: unknown
  /** Runs before the request. */
  before?: string
  /** Variables that later requests read, each with where the answer has it. */
  keeps?: Readonly<Record<string, string>>
  docs?: string
}

/** A task reaches a status a moment after the call that leads to it. */
const until = (status: TaskStatus): string => `for (let status; status !== '${status}'; ) {
  const { data } = await bru.sendRequest({
    method: 'GET',
    url: bru.getEnvVar('baseUrl') + '/api/v1/signature/tasks/' + bru.getVar('taskId'),
    headers: { 'x-api-key': bru.getEnvVar('apiKey') },
  });
  if (!['Received', 'Processing', 'Pending', '${status}'].includes(data.status)) throw new Error('The task is ' + data.status);
  status = data.status;
  await bru.sleep(200);
}`

const SIGN: Request = {
  name: 'sign (sandbox only)',
  method: 'post',
  path: '/sandbox/v1/tasks/{id}/sign',
  parameters: [{ name: 'id', in: 'path', required: true }],
  body: {},
  before: until('Pending'),
  docs: 'Signs the task in the place of its signer. Only a sandbox has this.',
}

/** In which order the requests can run, with what each needs from those before it. */
const JOURNEY: readonly (string | Request)[] = [
  'checkHealth',
  'listDocumentTypes',
  'listTemplates',
  'findProvider',
  'createTask',
  'readTask',
  'listTasks',
  SIGN,
  'updateTask',
  'createTask',
  'retractTask',
  'createSubscription',
  'listSubscriptions',
  'updateSubscription',
  'deleteSubscription',
]

const KEEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  createTask: { taskId: 'res.body.taskId' },
  createSubscription: { subscriptionId: 'res.body.id' },
}

const BEFORE: Readonly<Record<string, string>> = {
  updateTask: until('Completed'),
  retractTask: until('Pending'),
}

/**
 * Returns the text of each file of the collection by its path.
 * @param openapi the text of openapi.json
 */
export function brunoFiles(root: string, openapi: string): Map<string, string> {
  const { info, paths } = JSON.parse(openapi) as {
    info: { title: string }
    paths: Record<string, Record<string, Operation>>
  }
  const operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [operation.operationId, { path, method, ...operation }]),
    ),
  )
  const missing = [...operations.keys()].filter((id) => !JOURNEY.includes(id))
  if (missing.length > 0) throw new Error(`scripts/bruno.ts has no place for ${missing.join(', ')}.`)
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: info.title, type: 'collection' }, null, 2)}\n`],
    ['collection.bru', collection(readFileSync(join(root, 'samples/files/plan-of-care.pdf')).toString('base64'))],
    ['environments/sandbox.bru', block('vars', ['baseUrl: http://127.0.0.1:3210', 'apiKey: {{process.env.API_KEY}}'])],
  ])
  JOURNEY.forEach((step, index) => {
    const request = typeof step === 'string' ? requestOf(operations.get(step)!) : step
    const number = String(index + 1).padStart(2, '0')
    files.set(`${number} ${request.name}.bru`, textOf(request, index + 1))
  })
  return files
}

function requestOf(operation: Operation & { path: string; method: string }): Request {
  const { operationId, path, method, parameters, requestBody, summary } = operation
  const example = requestBody && Object.values(requestBody.content)[0]?.example
  return {
    name: operationId,
    method,
    path,
    ...(parameters && { parameters }),
    ...(example !== undefined && { body: withDocument(example) }),
    ...(BEFORE[operationId] !== undefined && { before: BEFORE[operationId] }),
    ...(KEEPS[operationId] && { keeps: KEEPS[operationId] }),
    ...(summary !== undefined && { docs: summary }),
  }
}

/** The example of a create has a shortened document, and a day of long ago. */
function withDocument(example: unknown): unknown {
  const { document, ...others } = example as { document?: object }
  return document
    ? { ...others, document: { ...document, attachment: '{{document}}', effectiveDate: '{{today}}' } }
    : example
}

const collection = (pdf: string): string =>
  [
    block('auth', ['mode: apikey']),
    block('auth:apikey', ['key: x-api-key', 'value: {{apiKey}}', 'placement: header']),
    block('vars:pre-request', [`document: ${pdf}`]),
    block('script:pre-request', ["bru.setVar('today', new Date().toISOString().slice(0, 10));"]),
  ].join('\n')

function textOf({ name, method, path, parameters = [], body, before, keeps, docs }: Request, seq: number): string {
  const idName = path.includes('/webhooks/') ? 'subscriptionId' : 'taskId'
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = required.map(({ name, example }) => `${name}=${example}`).join('&')
  const url = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${search && `?${search}`}`
  const pathParameters = parameters
    .filter((parameter) => parameter.in === 'path')
    .map((parameter) => `${parameter.name}: ${parameter.name === 'id' ? `{{${idName}}}` : parameter.example}`)
  // Optional ones are there, switched off.
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, example }) => `${required ? '' : '~'}${name}: ${example}`)
  const parts = [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method, [`url: ${url}`, `body: ${body === undefined ? 'none' : 'json'}`, 'auth: inherit']),
    ...(query.length > 0 ? [block('params:query', query)] : []),
    ...(pathParameters.length > 0 ? [block('params:path', pathParameters)] : []),
    ...(body === undefined ? [] : [block('body:json', JSON.stringify(body, null, 2).split('\n'))]),
    ...(keeps
      ? [
          block(
            'vars:post-response',
            Object.entries(keeps).map(([to, from]) => `${to}: ${from}`),
          ),
        ]
      : []),
    ...(before === undefined ? [] : [block('script:pre-request', before.split('\n'))]),
    block('tests', [
      "test('is answered with 2xx', function () {",
      '  expect(res.getStatus()).to.be.within(200, 299);',
      '});',
    ]),
    ...(docs === undefined ? [] : [block('docs', docs.split('\n'))]),
  ]
  return parts.join('\n')
}

const block = (name: string, lines: readonly string[]): string =>
  `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
