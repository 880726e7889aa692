/** `countersign templates`: the fields and rules that an organization made for a kind of document. */
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { JsonAnnotation } from '../../lib/contract/document.ts'
import { describeIssues } from '../../lib/contract/error.ts'
import type { Field } from '../../lib/pdf/placement.ts'
import { OPERATOR } from '../domain/audit.ts'
import { administer, type Given, organizationOf } from './administer.ts'
import { CommandError } from './command.ts'

const HELP = `Usage: countersign templates <create|list> [options]

  create
    --organization NAME|ID   whose template it is; required
    --summary TEXT        what it is for; required
    --clinical-date-label TEXT   what effectiveDate means on it; required
    --fields FILE         JSON array of annotations, as document.annotations.data of a
                          task with type Json: [{"type":"VisibleSignature","required":true,
                          "pageNumber":1,"left":72,"top":690,"right":272,"bottom":726}]; required
    --diagnosis-code none|allowed|required                          (none)
    --days-before NUMBER --days-after NUMBER
                          the certification window around today; open when left out
  list
    --organization NAME|ID   whose templates; required
`

const text = { type: 'string' } as const
const CODES = ['none', 'allowed', 'required']

export const run = administer('templates', HELP, {
  create: {
    options: {
      ...{ organization: text, summary: text, 'clinical-date-label': text, fields: text },
      ...{ 'diagnosis-code': text, 'days-before': text, 'days-after': text },
    },
    async run({ store, at, given }) {
      const diagnosisCode = given.text('diagnosis-code') ?? 'none'
      if (!CODES.includes(diagnosisCode)) throw new CommandError(`--diagnosis-code: one of ${CODES.join(', ')}`)
      const template = {
        summary: given.needed('summary'),
        clinicalDateLabel: given.needed('clinical-date-label'),
        diagnosisCodeAllowed: diagnosisCode !== 'none',
        diagnosisCodeRequired: diagnosisCode === 'required',
        pdfRequired: true,
        isCustomTemplate: true,
        daysBefore: days(given, 'days-before'),
        daysAfter: days(given, 'days-after'),
      }
      const fields = fieldsOf(given.needed('fields'))
      const organization = await organizationOf(store, given.needed('organization'))
      const { templates } = store.forOrganization(organization.id, OPERATOR)
      const templateId = await templates.create({ ...template, fields }, at)
      return { templateId, organization: organization.name, ...template, fields: fields.length }
    },
  },
  list: {
    options: { organization: text },
    async run({ store, given }) {
      const { id } = await organizationOf(store, given.needed('organization'))
      const found = await store.forOrganization(id).templates.list()
      return found.map((template) => ({ ...template, fields: template.fields.length }))
    },
  },
})

function days(given: Given, name: string): number | null {
  const sent = given.text(name)
  if (sent === undefined) return null
  if (!/^\d{1,5}$/.test(sent)) throw new CommandError(`--${name}: a whole number of days`)
  return Number(sent)
}

function fieldsOf(file: string): Field[] {
  const read = z.array(JsonAnnotation, 'an array of annotations').min(1, 'at least one').safeParse(json(file))
  if (!read.success) throw new CommandError(`--fields: ${describeIssues(read.error).join('; ')}`)
  return read.data.map(({ type, pageNumber, left, top, right, bottom, required, value }) => ({
    page: pageNumber,
    box: { left, top, right, bottom },
    type,
    required: required ?? false,
    value: type === 'TextArea' ? (value ?? null) : null,
  }))
}

function json(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new CommandError(`--fields: ${file} cannot be read as JSON.`)
  }
}
