/** nock, inactive until a test activates it: once imported it would take over all requests of the process, those of other tests too. */
import nock from 'nock'

nock.restore()

export default nock
