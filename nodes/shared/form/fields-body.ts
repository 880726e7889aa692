/** Builds the body of a new task from the inputs of the create node's form, unchecked. */
import type { FormReader } from './form-reader.ts'
import { asNumber, asText, compact, type JsonObject } from './form-values.ts'
import { placedFields } from './placed-fields.ts'

export async function bodyOfFields(reader: FormReader): Promise<JsonObject> {
  return {
    patient: await patientOf(reader),
    performers: [await performerOf(reader)],
    document: await documentOf(reader),
  }
}

async function patientOf({ value, rows }: FormReader): Promise<JsonObject> {
  const list = (name: string) => rows(name, `patient.${name}`, 'filled')
  const names = (await list('names')).map(({ given, ...name }) => compact({ ...name, given: asGivenNames(given) }))
  return compact({
    externalId: await value('externalId', 'patient.externalId'),
    names,
    sex: await value('sex', 'patient.sex'),
    birthDate: await value('birthDate', 'patient.birthDate'),
    addresses: await list('addresses'),
    identifiers: orNothing(await list('identifiers')),
    telecoms: orNothing(await list('telecoms')),
  })
}

async function performerOf({ value, rows }: FormReader): Promise<JsonObject> {
  const at = 'performers[0].organization'
  const organization = compact({
    orgNPI: await value('orgNPI', `${at}.orgNPI`),
    name: await value('orgName', `${at}.name`),
    addresses: orNothing(await rows('orgAddresses', `${at}.addresses`, 'filled')),
  })
  return compact({
    signer: compact({ userNPI: asText(await value('userNPI', 'performers[0].signer.userNPI')) }),
    organization: Object.keys(organization).length > 0 ? organization : undefined,
  })
}

async function documentOf(reader: FormReader): Promise<JsonObject> {
  const field = (name: string) => reader.value(name, `document.${name}`)
  return compact({
    attachment: await field('attachment'),
    effectiveDate: await field('effectiveDate'),
    documentTypeId: asNumber(await field('documentTypeId')),
    externalDocId: asText(await field('externalDocId')),
    diagnosisCode: await field('diagnosisCode'),
    annotations: compact({
      type: reader.config.placement,
      templateId: asNumber(await reader.value('templateId', 'document.annotations.templateId')),
      data: await placedFields(reader),
    }),
  })
}

const orNothing = (rows: JsonObject[]) => (rows.length > 0 ? rows : undefined)

/** "Alma Jean" is two given names. A list is taken as it is, so that a double name stays one. */
const asGivenNames = (given: unknown) => (typeof given === 'string' ? given.split(/\s+/).filter(Boolean) : given)
