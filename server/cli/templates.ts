/** `countersign templates`: the fields and rules that an organization made for a kind of document. */
import { OPERATOR } from '../domain/audit.ts'
import type { StoredTemplate } from '../store/catalog.ts'
import type { Store } from '../store/store.ts'
import { administer, type Given, organizationOf } from './administer.ts'
import { CommandError } from './command.ts'
import { annotationsOf, fieldsOf } from './template-fields.ts'

const HELP = `Usage: countersign templates <create|list|show ID|update ID|retire ID> [options]

  --organization NAME|ID    whose templates; required

  create
    --summary TEXT        what it is for; required
    --clinical-date-label TEXT   what effectiveDate means on it; required
    --fields FILE         JSON array of annotations, as document.annotations.data of a
                          task with type Json: [{"type":"VisibleSignature","required":true,
                          "pageNumber":1,"left":72,"top":690,"right":272,"bottom":726}]; required
    --diagnosis-code none|allowed|required                          (none)
    --days-before NUMBER|open --days-after NUMBER|open              (open)
                          the certification window around today
  list
  show ID                 one template; with --json its fields are as --fields takes them
  update ID               changes what is given, with the options of create, for the
                          documents that are received from now on
  retire ID               offers it no more; documents that were sent with it go on
`

const text = { type: 'string' } as const
const whose = { organization: text }
const content = {
  ...{ summary: text, 'clinical-date-label': text, fields: text },
  ...{ 'diagnosis-code': text, 'days-before': text, 'days-after': text },
}
const CODES = ['none', 'allowed', 'required']

export const run = administer('templates', HELP, {
  create: {
    options: { ...whose, ...content },
    async run({ store, at, given }) {
      for (const name of ['summary', 'clinical-date-label', 'fields']) given.needed(name)
      const change = changeOf(given)
      const { organization, templates } = await of(store, given)
      const template = { ...EMPTY, ...change }
      return shown({ templateId: await templates.create(template, at), ...template }, organization.name)
    },
  },
  list: {
    options: whose,
    async run({ store, given }) {
      const found = await (await of(store, given)).templates.list()
      return found.map((template) => ({ ...template, fields: template.fields.length }))
    },
  },
  show: {
    options: whose,
    takes: ['ID'],
    async run({ store, given, operands }) {
      const { organization, template } = await found(store, given, operands)
      return { ...shown(template, organization.name), fields: annotationsOf(template.fields) }
    },
  },
  update: {
    options: { ...whose, ...content },
    takes: ['ID'],
    async run({ store, at, given, operands }) {
      const change = changeOf(given)
      if (Object.keys(change).length === 0)
        throw new CommandError(`Nothing to change: give one of --${Object.keys(content).join(', --')}.`)
      const { organization, templates, template } = await found(store, given, operands)
      const changed = { ...template, ...change }
      await templates.update(template.templateId, changed, at)
      return shown(changed, organization.name)
    },
  },
  retire: {
    options: whose,
    takes: ['ID'],
    async run({ store, at, given, operands }) {
      const { organization, templates, template } = await found(store, given, operands)
      await templates.retire(template.templateId, at)
      return { ...shown(template, organization.name), retired: true }
    },
  },
})

async function of(store: Store, given: Given) {
  const organization = await organizationOf(store, given.needed('organization'))
  return { organization, templates: store.forOrganization(organization.id, OPERATOR).templates }
}

async function found(store: Store, given: Given, [id = '']: readonly string[]) {
  const { organization, templates } = await of(store, given)
  const template = /^\d{1,9}$/.test(id) ? await templates.findOffered(Number(id)) : null
  if (!template) throw new Error(`${organization.name} has no template ${id}, or it is retired.`)
  return { organization, templates, template }
}

const EMPTY: Omit<StoredTemplate, 'templateId'> = {
  ...{ summary: '', clinicalDateLabel: '', pdfRequired: true, isCustomTemplate: true, fields: [] },
  ...{ diagnosisCodeAllowed: false, diagnosisCodeRequired: false, daysBefore: null, daysAfter: null },
}

/** What the options say, and nothing of what they leave out. */
function changeOf(given: Given): Partial<StoredTemplate> {
  const when = <T extends object>(name: string, part: () => T) => (given.text(name) === undefined ? {} : part())
  return {
    ...when('summary', () => ({ summary: given.needed('summary') })),
    ...when('clinical-date-label', () => ({ clinicalDateLabel: given.needed('clinical-date-label') })),
    ...when('diagnosis-code', () => diagnosisOf(given.needed('diagnosis-code'))),
    ...when('days-before', () => ({ daysBefore: days(given, 'days-before') })),
    ...when('days-after', () => ({ daysAfter: days(given, 'days-after') })),
    ...when('fields', () => ({ fields: fieldsOf(given.needed('fields')) })),
  }
}

function diagnosisOf(code: string) {
  if (!CODES.includes(code)) throw new CommandError(`--diagnosis-code: one of ${CODES.join(', ')}`)
  return { diagnosisCodeAllowed: code !== 'none', diagnosisCodeRequired: code === 'required' }
}

function days(given: Given, name: string): number | null {
  const sent = given.needed(name)
  if (sent === 'open') return null
  if (!/^\d{1,5}$/.test(sent)) throw new CommandError(`--${name}: a whole number of days, or open`)
  return Number(sent)
}

const shown = ({ templateId, ...template }: StoredTemplate, organization: string) => ({
  ...{ templateId, organization, ...template },
  fields: template.fields.length,
})
