/** What a failure says on a message: everything an operator needs, nothing about a patient. */
import { expect } from 'chai'
import { RefusedError } from '../../lib/client/errors.ts'
import { InputError, setFailure } from '../../nodes/shared/runtime/failures.ts'
import type { Message } from '../../nodes/shared/runtime/node-red.ts'

describe('a failure on a message', () => {
  it('carries the status and the sentences of the service', () => {
    const message: Message = {}
    const error = setFailure(message, new RefusedError('createTask', 400, ['document.attachment: not a PDF']))
    expect(error.code).to.equal('REFUSED')
    expect(message).to.deep.equal({ statusCode: 400, errors: ['document.attachment: not a PDF'] })
  })

  it('takes the status of an earlier failure away', () => {
    const message: Message = { statusCode: 400 }
    setFailure(message, new InputError(['taskId: required']))
    expect(message).to.deep.equal({ errors: ['taskId: required'] })
  })

  it('hides the words of an unexpected error, but keeps where it happened', () => {
    const message: Message = {}
    const error = setFailure(message, new TypeError('cannot read Whitfield of undefined'))
    expect(error.code).to.equal('INTERNAL')
    expect(`${error.message}${error.stack}${JSON.stringify(message)}`).to.not.contain('Whitfield')
    expect(error.stack).to.contain('failures.test.ts')
  })
})
