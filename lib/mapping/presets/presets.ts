/**
 * Presets of maps for kinds of senders: a map names a preset, and its own values override those of the preset. Codes and ids
 * that only the two parties know are in no preset. docs/guides/mapping.md names the public source of each.
 */
export const presets = {
  'hl7-mdm': { accepts: ['MDM'] },
  'hl7-oru': { accepts: ['ORU'] },
  'hl7-orm': { accepts: ['ORM', 'OML'] },
  'fhir-document-reference': { accepts: ['DocumentReference'] },
  'fhir-service-request': { accepts: ['ServiceRequest'] },
  'fhir-bundle': { accepts: ['Bundle'] },
  /** Patients have an id of the type EPI, and signers one of the sender's own. */
  'epic-like': {
    accepts: ['MDM', 'ORU', 'ORM', 'OML'],
    patientIdTypes: ['MR', 'EPI'],
    signerIds: 'listed',
  },
  /** Documents are resources of FHIR R4, which refer to patient and signer. */
  'oracle-like': { accepts: ['DocumentReference', 'Bundle'], patientIdTypes: ['MR'] },
  /** Signers have the mnemonic of the sender's dictionary. */
  'meditech-like': { accepts: ['ORM', 'ORU', 'MDM'], signerIds: 'listed' },
} as const

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as [PresetName, ...PresetName[]]
