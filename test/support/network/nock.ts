/** nock, asleep until a test wakes it: it takes over all requests of the process as soon as it is imported, the other tests' too. */
import nock from 'nock'

nock.restore()

export default nock
