/**
 * Limits the attempts of an end-to-end test. A real n8n in a real browser is sometimes late, and one of thousands of tests must
 * not decide the run. Each failed attempt before the last is printed in full.
 */
jest.retryTimes(Number(process.env.E2E_TRIES ?? '1') - 1, {
	logErrorsBeforeRetry: true,
	retryImmediately: true,
});
