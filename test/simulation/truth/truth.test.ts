// Protects what the simulator proves: its simulated n8n leads each of these histories to the promised result.
import { histories } from './histories';
import { playOnModel } from './playOnModel';
import type { Result } from './stage';

describe('histories with the simulated n8n', () => {
	let results: Record<string, Result>;
	beforeAll(async () => {
		results = await playOnModel();
	}, 180_000);

	it.each(histories)('$name: the result is the promised one', ({ name, expected }) => {
		expect(results[name]).toEqual(expected);
	});
});
