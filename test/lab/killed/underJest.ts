/** @jest-environment node */
import { startAll } from './startAll';

/**
 * A run like that of the end-to-end tests: Jest gives tests a `process` of their own, which receives neither signals nor exit.
 */
test('waits until it is killed', async () => {
	await startAll(process.env.GATEHOUSE_TEST_FOLDER!);
	await new Promise(() => undefined);
}, 300_000);
