/** Rules of document types, templates and providers. */
import * as z from 'zod'
import { DOCUMENT_TYPES, type Host, PROVIDERS, TEMPLATES } from '../host.ts'
import { expectShape, expectStatus, expectThat } from '../judge.ts'
import { type Rule, rulesOf } from '../rule.ts'
import { DocumentType, Provider, Template } from '../shapes.ts'
import { UNKNOWN_NPI } from '../stage/sample.ts'

const lists =
  (path: string, items: z.ZodType): Rule['attempt'] =>
  async (host) => {
    const answer = await host.get(path)
    expectStatus(answer, 200)
    expectShape(z.array(items, 'an array'), host.itemsOf(answer))
  }

const provider = (host: Host, npi: string) => host.get(`${PROVIDERS}/${npi}`)

export const lookUps = rulesOf('Look-ups', [
  [
    'document types are a list of id, name and category',
    'Resources › Document type',
    lists(DOCUMENT_TYPES, DocumentType),
  ],
  ['templates are a list with all their fields', 'Resources › Template', lists(TEMPLATES, Template)],
  [
    'an active signer is found, with names and organizations',
    'Resources › Provider user',
    async (host, stage) => {
      const answer = await provider(host, await stage.signer())
      expectStatus(answer, 200)
      expectShape(Provider, answer.body)
    },
  ],
  [
    'the signer that is found has the NPI that was asked for',
    'Endpoints › Lookups',
    async (host, stage) => {
      const npi = await stage.signer()
      const { body } = await provider(host, npi)
      expectThat((Object(body) as { npi?: unknown }).npi === npi, 'npi: not the one that was asked for')
    },
  ],
  [
    'an NPI of nine digits is 400',
    'Endpoints › Provider lookup results',
    async (host) => expectStatus(await provider(host, '123456789'), 400),
  ],
  [
    'an NPI with letters is 400',
    'Endpoints › Provider lookup results',
    async (host) => expectStatus(await provider(host, '12345678AB'), 400),
  ],
  [
    'an NPI without an active provider is 404',
    'Endpoints › Provider lookup results',
    async (host) => expectStatus(await provider(host, UNKNOWN_NPI), 404),
  ],
])
