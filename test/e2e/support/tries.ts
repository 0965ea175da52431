/**
 * How often an end-to-end test may be tried. A real n8n in a real browser is late now and then, and where
 * thousands of tests decide, one of them must not; each failure before the last try is printed in full.
 */
jest.retryTimes(Number(process.env.E2E_TRIES ?? '1') - 1, {
	logErrorsBeforeRetry: true,
	retryImmediately: true,
});
