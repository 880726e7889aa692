// The response transformer of an HTTP Sender of Mirth Connect or OIE. What is held becomes an error of the channel, with the reasons,
// and is not sent again. Any other answer keeps the status that the sender has given it.
var answer = null
try {
  answer = JSON.parse(String(msg))
} catch (_notJson) {
  // Such as the page of a proxy.
}
if (answer !== null && answer.held === true) {
  responseStatus = ERROR
  responseStatusMessage = ['Held', answer.reasons.join('; ')].join(': ')
}
