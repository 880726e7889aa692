/**
 * The catalogs that a sender looks up before it creates a task. spec: Resources › Document type, Resources › Template,
 * Resources › Provider user
 */
import * as z from 'zod'
import { docs } from './docs.ts'
import { id, Npi, OrganizationAddress } from './primitives.ts'

const words = (title: string, description: string, example: string) =>
  z.string().register(docs, { title, description, examples: [example] })
const flag = (title: string, description: string, example: boolean) =>
  z.boolean().register(docs, { title, description, examples: [example] })

export const DocumentType = z
  .object({
    id: id().register(docs, { title: 'Id', description: 'Used as document.documentTypeId.', examples: [104] }),
    name: words('Name', 'Name of the document type.', 'Physician Order (verbal)'),
    category: words('Category', 'Group the type belongs to.', 'Order'),
  })
  .register(docs, {
    id: 'DocumentType',
    title: 'Document type',
    description: 'A kind of document that can be sent for signature.',
    examples: [{ id: 104, name: 'Physician Order (verbal)', category: 'Order' }],
  })
export type DocumentType = z.infer<typeof DocumentType>

export const Template = z
  .object({
    templateId: id().register(docs, {
      title: 'Template id',
      description: 'Used as document.annotations.templateId.',
      examples: [204],
    }),
    summary: words('Summary', 'What the template is for.', 'Verbal order'),
    clinicalDateLabel: words('Clinical date label', 'What the clinical date means on this template.', 'Order date'),
    diagnosisCodeAllowed: flag('Diagnosis code allowed', 'Whether a diagnosis code may be sent.', true),
    diagnosisCodeRequired: flag('Diagnosis code required', 'Whether document.diagnosisCode must be sent.', false),
    pdfRequired: flag('PDF required', 'Whether a PDF must be attached.', true),
    isCustomTemplate: flag('Custom template', 'Whether the organization made the template itself.', false),
  })
  .register(docs, {
    id: 'Template',
    title: 'Template',
    description: 'Fields, rules and a certification window that an organization made for a kind of document.',
    examples: [
      {
        templateId: 204,
        summary: 'Verbal order',
        clinicalDateLabel: 'Order date',
        diagnosisCodeAllowed: true,
        diagnosisCodeRequired: false,
        pdfRequired: true,
        isCustomTemplate: false,
      },
    ],
  })
export type Template = z.infer<typeof Template>

export const ProviderOrganization = z
  .object({
    name: words('Name', 'Name of the organization.', 'Lakeside Family Practice'),
    npi: z
      .string()
      .nullish()
      .register(docs, {
        title: 'Organization NPI',
        description: 'NPI of the organization; empty when it has none.',
        examples: ['9999901017'],
      }),
    addresses: z.array(OrganizationAddress).register(docs, {
      title: 'Addresses',
      description: 'Addresses of the organization.',
      examples: [[{ line: '100 Shore Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }]],
    }),
  })
  .register(docs, {
    id: 'ProviderOrganization',
    title: 'Organization of a provider',
    description: 'An active organization of the provider; its NPI and addresses serve for routing.',
    examples: [{ name: 'Lakeside Family Practice', npi: '9999901017', addresses: [] }],
  })

export const Provider = z
  .object({
    npi: Npi,
    firstName: words('First name', 'First name of the provider.', 'Helen'),
    lastName: words('Last name', 'Last name of the provider.', 'Marsh'),
    signingName: words('Signing name', 'The name that is stamped when the provider signs.', 'Helen Marsh MD'),
    organizations: z.array(ProviderOrganization).register(docs, {
      title: 'Organizations',
      description: 'The active organizations of the provider, the primary one first.',
      examples: [[{ name: 'Lakeside Family Practice', npi: '9999901017', addresses: [] }]],
    }),
  })
  .register(docs, {
    id: 'Provider',
    title: 'Provider',
    description: 'An active signer.',
    examples: [
      { npi: '9999900019', firstName: 'Helen', lastName: 'Marsh', signingName: 'Helen Marsh MD', organizations: [] },
    ],
  })
export type Provider = z.infer<typeof Provider>
