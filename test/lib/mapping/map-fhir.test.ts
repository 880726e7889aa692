import { expect } from 'chai'
import { aBundle, condition, document, patient, practitioner, request, role } from '../../support/hl7/a-bundle.ts'
import { PDF } from '../../support/hl7/an-order.ts'
import { mappedBundle, withDocument } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

describe('A message in FHIR R4', () => {
  it('becomes a request', () => {
    expect(mappedBundle(aBundle(document, patient, practitioner))).to.deep.equal({
      ok: true,
      action: 'create',
      warnings: [
        'DocumentReference.authenticator: does not identify an organization, so the signer’s primary organization receives the task',
      ],
      origins: {
        'patient.externalId': 'Patient.identifier[0]',
        'patient.names[0]': 'Patient.name[0]',
        'patient.sex': 'Patient.gender',
        'patient.birthDate': 'Patient.birthDate',
        'patient.addresses[0]': 'Patient.address[0]',
        'patient.identifiers[0]': 'Patient.identifier[0]',
        'patient.telecoms[0]': 'Patient.telecom[0]',
        'performers[0].signer.userNPI': 'DocumentReference.authenticator.resolve().identifier',
        'document.attachment': 'DocumentReference.content[0].attachment',
        'document.effectiveDate': 'DocumentReference.context.period.start',
        'document.documentTypeId': 'DocumentReference.type, by the table documentTypes',
        'document.externalDocId': 'DocumentReference.masterIdentifier',
        'document.annotations': 'annotations of the map',
      },
      body: {
        patient: {
          externalId: 'urn:oid:1.2.36.146.595.217.0.1|WC100098',
          names: [{ use: 'official', family: 'Rowan', given: ['Tess', 'May'] }],
          sex: 'Female',
          birthDate: '1952-06-07',
          addresses: [{ line: '98 Birch Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }],
          identifiers: [{ authority: 'mrn', value: 'WC100098' }],
          telecoms: [{ system: 'phone', value: '218-555-0198', use: 'home' }],
        },
        performers: [{ signer: { userNPI: '9999900019' } }],
        document: {
          attachment: PDF,
          effectiveDate: '2026-01-15',
          documentTypeId: 101,
          externalDocId: 'urn:lake:docs|DOC-000123',
          annotations: { type: 'SmartAnnotations' },
        },
      },
    })
  })

  it('that requests a service takes the PDF of the document beside it, and the organization of the role', () => {
    const made = bodyOf(mappedBundle(aBundle(request, document, patient, practitioner, role, condition)))
    expect(made.performers).to.deep.equal([
      { signer: { userNPI: '9999900019' }, organization: { orgNPI: '9999901017' } },
    ])
    expect(made.document).to.deep.include({
      attachment: PDF,
      effectiveDate: '2026-01-14',
      externalDocId: 'urn:lake:orders|ORD-7',
      diagnosisCode: 'I50.9',
    })
  })

  it('that is a Task asks for what it refers to, of the one that it names', () => {
    const other = {
      ...practitioner,
      id: 'd2',
      identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9999900027' }],
    }
    const task = {
      ...{ resourceType: 'Task', status: 'requested', intent: 'order' },
      id: 't1',
      focus: { reference: 'DocumentReference/doc1' },
      owner: { reference: 'Practitioner/d2' },
    }
    const made = bodyOf(mappedBundle(aBundle(task, document, patient, practitioner, other)))
    expect(made.performers[0]?.signer.userNPI).to.equal('9999900027')
    expect(made.document.externalDocId).to.equal('urn:lake:docs|DOC-000123')
  })

  it('alone is read with what it contains', () => {
    const contained = [
      { ...patient, id: 'p' },
      { ...practitioner, id: 'd' },
    ]
    const alone = { ...document, contained, subject: { reference: '#p' }, authenticator: { reference: '#d' } }
    expect(bodyOf(mappedBundle(alone)).patient.externalId).to.contain('WC100098')
  })

  it('has its PDF in a separate Binary', () => {
    const binary = { resourceType: 'Binary', id: 'b1', contentType: 'application/pdf', data: PDF }
    const content = [
      { attachment: { contentType: 'text/html', data: 'PGI+' } },
      { attachment: { contentType: 'application/pdf', url: 'Binary/b1' } },
    ]
    expect(
      bodyOf(mappedBundle(aBundle({ ...document, content }, patient, practitioner, binary))).document.attachment,
    ).to.equal(PDF)
  })

  it('that was entered in error takes its document back', () =>
    expect(mappedBundle(withDocument({ status: 'entered-in-error' }))).to.deep.include({
      ok: true,
      action: 'retract',
      externalDocId: 'urn:lake:docs|DOC-000123',
    }))

  const refused: [trap: string, json: unknown, reason: string][] = [
    ['nothing', undefined, 'resourceType: the message is not a FHIR resource'],
    ['no order', aBundle(patient), 'resourceType: none of Task, ServiceRequest, DocumentReference'],
    [
      'two documents',
      aBundle(document, { ...document, id: 'doc2' }, patient, practitioner),
      'DocumentReference: there are 2, but a message may contain only one',
    ],
    [
      'a patient elsewhere',
      aBundle(document, practitioner),
      'DocumentReference.subject: refers to a resource that is not in the message',
    ],
    [
      'a patient who is there twice',
      aBundle(document, patient, patient, practitioner),
      'DocumentReference.subject: refers to a resource that is in the message twice',
    ],
    [
      'a signer in words',
      withDocument({ authenticator: { display: 'Dr. Marsh' }, author: [{ reference: 'Practitioner/d1' }] }),
      'DocumentReference.authenticator: names the signer in text only; an NPI is required',
    ],
    [
      'a signer without an NPI',
      aBundle(document, patient, { ...practitioner, identifier: [{ value: 'X1' }] }),
      'DocumentReference.authenticator: has no NPI, and no id that signers of the map lists for its system',
    ],
    [
      'a role that nobody has',
      aBundle({ ...document, authenticator: { reference: 'PractitionerRole/r1' } }, patient, {
        ...role,
        practitioner: undefined,
      }),
      'DocumentReference.authenticator: is a role without a practitioner',
    ],
    [
      'no clinical date, but that of the reference',
      withDocument({ context: {} }),
      'date: is missing; the date of the message is not used in its place',
    ],
    [
      'an unknown type',
      withDocument({ type: { coding: [{ code: 'ZZZ' }] } }),
      'DocumentReference.type: none of the codes "ZZZ" is in documentTypes of the map',
    ],
    [
      'a result that was written to the server that it is read from',
      withDocument({ identifier: [{ system: 'urn:countersign:signed', value: 'x' }] }),
      'DocumentReference.identifier: is the identifier of a result: the document is already signed',
    ],
    [
      'a document of another patient than that of the request',
      aBundle(
        request,
        { ...document, subject: { reference: 'Patient/p2' } },
        patient,
        { ...patient, id: 'p2' },
        practitioner,
        role,
        condition,
      ),
      'ServiceRequest.supportingInfo[0].subject: is another patient than ServiceRequest.subject',
    ],
    [
      'a Task for another patient than that of its document',
      aBundle(
        {
          ...{ resourceType: 'Task', status: 'requested', intent: 'order' },
          id: 't1',
          focus: { reference: 'DocumentReference/doc1' },
          for: { reference: 'Patient/p2' },
        },
        document,
        patient,
        { ...patient, id: 'p2' },
        practitioner,
      ),
      'DocumentReference.subject: is another patient than Task.for',
    ],
    ['no id', withDocument({ masterIdentifier: undefined }), 'identifier: has no id of the document'],
    [
      'a PDF elsewhere',
      withDocument({
        content: [{ attachment: { contentType: 'application/pdf', url: 'https://files.example/1.pdf' } }],
      }),
      'DocumentReference.content[0].attachment.url: refers to a resource that is not in the message',
    ],
    [
      'a PDF that is none',
      withDocument({ content: [{ attachment: { contentType: 'application/pdf', data: 'SGVsbG8=' } }] }),
      'DocumentReference.content[0].attachment: is declared a PDF but is not one',
    ],
    [
      'two PDFs',
      withDocument({ content: [...(document.content as object[]), ...(document.content as object[])] }),
      'content: holds 2 PDFs; set pdf in the map to choose one',
    ],
  ]
  for (const [trap, json, reason] of refused)
    it(`is held with ${trap}`, () => expect(heldBy(mappedBundle(json))).to.include(reason))
})
