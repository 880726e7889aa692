/** Every route that the nodes add to Node-RED's admin interface, and the permission that each demands: nothing is answered without one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { embedded, flow } from '../support/node-red/flow.ts'
import { type NodeRed, prepareUserDir, startNodeRed } from '../support/node-red/node-red.ts'

const PASSWORD = 'a password of a test'
const HASH = '$2b$04$2oSJKmnCri./8UM4ICuFneYtjPS5z5tXak1Nz..5jEyYiHAnlIeAy'
/** The permission of each user, by name. */
const USERS = {
  nothing: ['flows.read'],
  read: ['countersign-service.read'],
  write: ['countersign-service.write'],
  deploy: ['flows.write'],
} as const
type User = keyof typeof USERS

/** Who may ask what. What shows or changes a message, a document, or a task is for those who may write. */
const ROUTES: Readonly<Record<string, User>> = {
  'GET /countersign/held': 'read',
  'GET /countersign/held/:id/:heldId/text': 'write',
  'GET /countersign/kept': 'read',
  'GET /countersign/services/:id/document-types': 'read',
  'GET /countersign/services/:id/orphans': 'read',
  'GET /countersign/services/:id/pages': 'read',
  'GET /countersign/services/:id/tasks': 'read',
  'GET /countersign/services/:id/tasks/:taskId/signed-pdf': 'write',
  'GET /countersign/services/:id/templates': 'read',
  'POST /countersign/held/:id/:heldId/discard': 'write',
  'POST /countersign/held/:id/:heldId/edit': 'write',
  'POST /countersign/held/:id/:heldId/resend': 'write',
  'POST /countersign/mapping/csv-from-table': 'deploy',
  'POST /countersign/mapping/table-from-csv': 'deploy',
  'POST /countersign/mapping/try': 'deploy',
  'POST /countersign/services/:id/orphans': 'write',
  'POST /countersign/services/:id/tasks/:taskId/resend': 'write',
  'POST /countersign/services/:id/tasks/:taskId/retract': 'write',
  'POST /countersign/services/:id/test': 'deploy',
}

/** A node of the user directory that says which routes Node-RED has. */
const LISTS_ROUTES = `module.exports = (RED) => {
  RED.httpAdmin.get('/routes-of-a-test', (request, response) => {
    const { stack } = RED.httpAdmin._router ?? RED.httpAdmin.router
    response.json(stack.flatMap(({ route }) => route ? Object.keys(route.methods).map((method) => method.toUpperCase() + ' ' + route.path) : []))
  })
}`

describe('the routes that the nodes add to the admin interface', function () {
  this.timeout(60_000)
  let red: NodeRed
  const tokens = new Map<User, string>()

  before(async () => {
    const userDir = prepareUserDir()
    writeFileSync(join(userDir, 'nodes', 'routes.js'), LISTS_ROUTES)
    writeFileSync(join(userDir, 'nodes', 'routes.html'), '')
    writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flow(embedded())))
    const users = Object.entries(USERS).map(([username, permissions]) => ({ username, password: HASH, permissions }))
    red = await startNodeRed({ userDir, settings: { adminAuth: { type: 'credentials', users } } })
    for (const user of Object.keys(USERS) as User[]) {
      const scope = USERS[user].join(' ')
      const body = { client_id: 'node-red-editor', grant_type: 'password', scope, username: user, password: PASSWORD }
      const answer = await fetch(red.adminUrl('auth/token'), { method: 'POST', body: new URLSearchParams(body) })
      tokens.set(user, ((await answer.json()) as { access_token: string }).access_token)
    }
  })
  after(() => red?.stop())

  it('are those of the table', async () => {
    const all = (await (await fetch(red.adminUrl('routes-of-a-test'))).json()) as string[]
    expect(all.filter((route) => /countersign/i.test(route)).toSorted()).to.deep.equal(Object.keys(ROUTES).toSorted())
  })

  for (const [route, allowed] of Object.entries(ROUTES))
    it(`${route} is refused to all who may not ${allowed}`, async () => {
      const [method, path] = route.split(' ') as [string, string]
      const filled = path.replace(':id', 'service').replace(/:\w+/, '1')
      const ask = (token?: string) =>
        fetch(red.adminUrl(filled), {
          method,
          headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
          ...(method === 'POST' && { body: '{}' }),
        }).then(({ status }) => status)
      expect(await ask(), 'without a token').to.equal(401)
      expect(await ask('another-token'), 'with a token that was made up').to.equal(401)
      for (const [user, token] of tokens)
        if (user === allowed) expect(await ask(token), user).not.to.equal(401)
        else expect(await ask(token), user).to.equal(401)
    })
})
