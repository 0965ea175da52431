// Protects operators who plan with docs/operating.md: its limits and polling intervals are those of the code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MAX_RESPONSE_BYTES } from '../../nodes/engine/http/exchange';
import { pollIntervalAfter } from '../../nodes/engine/park/waitTimes';
import { packServices } from '../support/pack';
import { root } from './files';

const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');

/** Returns the options of a trigger that watches IDs, by their labels. */
function readTriggerOptions() {
	const { Trigger } = packServices.find(({ name }) => name === 'twoFactor')!;
	const { options = [] } = new Trigger!().description.properties.find(
		({ name }) => name === 'options',
	)!;
	return new Map(
		options.flatMap((option) => ('displayName' in option ? [[option.displayName, option]] : [])),
	);
}

it.each([
	['Max Concurrent Requests', /_Max Concurrent Requests_ \(up to ([\d,]+)\)/],
	['Max Watched IDs', /_Max Watched IDs_ \(up to ([\d,]+)\)/],
	['Polling Interval (Seconds)', /_Polling Interval_ of (\d+) seconds, its maximum/],
])('docs/operating.md states the maximum of %s', (label, pattern) => {
	const option = readTriggerOptions().get(label) as { typeOptions: { maxValue: number } };
	expect(pattern.exec(page)?.[1]).toBe(option.typeOptions.maxValue.toLocaleString('en'));
});

it('docs/operating.md states the default number of watched IDs', () => {
	const { default: defaultMaximum } = readTriggerOptions().get('Max Watched IDs') as {
		default: number;
	};
	expect(page).toContain(`**IDs**: ${defaultMaximum.toLocaleString('en')} per trigger`);
});

it('docs/operating.md states the intervals at which parked executions poll', () => {
	const [, firstInterval, ...laterIntervals] =
		/every (\d+) seconds, after 5 minutes every (\d+), after 15 minutes every (\d+), after an hour every (\d+);/.exec(
			page,
		)!;
	const intervalsSeconds = [5, 15, 60].map(
		(minutes) => pollIntervalAfter(2000, minutes * 60_000) / 1000,
	);
	expect([firstInterval, ...laterIntervals].map(Number)).toEqual([2, ...intervalsSeconds]);
});

it('docs/operating.md states the maximum size of a response', () => {
	expect(page).toContain(`**Responses** are limited to ${MAX_RESPONSE_BYTES / 1_000_000} MB.`);
});
