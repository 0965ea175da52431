/** @jest-environment node */
import { startAll } from './startAll';

/** A run as the end-to-end tests are one: Jest gives tests a `process` of their own, on which no signal and no exit is heard. */
test('waits until it is killed', async () => {
	await startAll(process.env.GATEHOUSE_TEST_FOLDER!);
	await new Promise(() => undefined);
}, 300_000);
