module.exports = require('./load.cjs')('testing/door.js')
