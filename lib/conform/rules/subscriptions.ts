/** Rules of webhook subscriptions. */
import { type Host, SUBSCRIPTIONS } from '../host.ts'
import { expectAccepted, expectShape, expectStatus, expectThat } from '../judge.ts'
import { type Rule, rulesOf } from '../rule.ts'
import { ListedSubscription, NewSubscription } from '../shapes.ts'
import { DESCRIPTION } from '../stage/callbacks.ts'
import type { Json } from '../stage/sample.ts'
import { UNKNOWN_ID } from './states.ts'

const SPEC = 'Endpoints › Webhook subscriptions'
const FIELDS = 'Resources › Webhook subscription'
const SOME_URL = 'https://conformance.example.org/callbacks'

const refuses =
  (body: Json): Rule['attempt'] =>
  async (host) =>
    expectStatus(await host.post(SUBSCRIPTIONS, body), 400)

/** The row of a subscription in the list; empty when it is not there. */
export async function listedSubscription(host: Host, id: number): Promise<Json> {
  const items = host.itemsOf(await host.get(SUBSCRIPTIONS)) ?? []
  return Object(items.find((item) => (Object(item) as Json).id === id)) as Json
}

const anUpdate = { body: { active: false } }

export const subscriptions = rulesOf('Subscriptions', [
  [
    'a subscription is made with 201',
    SPEC,
    async (_host, stage) => expectStatus((await stage.subscriptions()).active.answer, 201),
  ],
  [
    'it has an id, its URL and a secret of 256 bits',
    FIELDS,
    async (_host, stage) => void expectShape(NewSubscription, (await stage.subscriptions()).active.answer.body),
  ],
  ['one without a URL is 400', SPEC, refuses({ description: DESCRIPTION })],
  ['one whose URL is not absolute is 400', SPEC, refuses({ url: '/callbacks' })],
  ['one with plain http to a public host is 400', SPEC, refuses({ url: SOME_URL.replace('https', 'http') })],
  ['a description of 256 characters is 400', 'Limits', refuses({ url: SOME_URL, description: 'x'.repeat(256) })],
  [
    'the list has it, active, with its times',
    FIELDS,
    async (host, stage) => {
      const row = expectShape(
        ListedSubscription,
        await listedSubscription(host, (await stage.subscriptions()).active.id),
      )
      expectThat(row.isActive, 'isActive: not true')
    },
  ],
  [
    'the list has the description',
    FIELDS,
    async (host, stage) => {
      const { description } = await listedSubscription(host, (await stage.subscriptions()).active.id)
      expectThat(description === DESCRIPTION, 'description: not what was sent')
    },
  ],
  [
    'the list has no secrets',
    FIELDS,
    async (host, stage) => {
      const { secret } = await listedSubscription(host, (await stage.subscriptions()).active.id)
      expectThat(!secret, 'secret: there is one')
    },
  ],
  [
    'active: false deactivates it',
    SPEC,
    async (host, stage) => {
      const { id, deactivation } = (await stage.subscriptions()).inactive
      expectAccepted(deactivation)
      expectThat((await listedSubscription(host, id)).isActive === false, 'isActive: not false')
    },
  ],
  [
    'an update with an invalid URL is 400',
    SPEC,
    async (host, stage) => {
      const { id } = (await stage.subscriptions()).inactive
      expectStatus(await host.patch(`${SUBSCRIPTIONS}/${id}`, { body: { url: 'nowhere' } }), 400)
    },
  ],
  [
    'an update of an unknown one is refused',
    SPEC,
    async (host) =>
      expectStatus(await host.patch(`${SUBSCRIPTIONS}/${UNKNOWN_ID}`, anUpdate), host.profile.refusals.unknownId),
  ],
  ['it is ended with 204', SPEC, async (_host, stage) => expectStatus((await stage.subscriptions()).ended.end, 204)],
  [
    'ending an unknown one is refused',
    SPEC,
    async (host) => expectStatus(await host.delete(`${SUBSCRIPTIONS}/${UNKNOWN_ID}`), host.profile.refusals.unknownId),
  ],
])
