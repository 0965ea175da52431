import { once } from 'node:events';

import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { receiveMessage, startChild } from '../harness/processes';

/** Time until all IDs are polled evenly, and time that is measured after it. */
const WARM_UP_MS = 2200;
const MEASURED_MS = 2200;
const BARE_LOOP = 'bare polling loop';
const WATCHER = 'watcher';
const POLLING_LOAD = { name: '10,000 IDs, fifty at a time', count: 10_000, concurrency: 50 };

/** Creates a contender that polls in a child process and returns the CPU time per poll. */
const createPollingContender =
	(
		poller: 'plain' | 'watcher',
		{ count, concurrency }: { count: number; concurrency: number },
	): Contender =>
	async () => {
		const child = startChild(require.resolve('../pollerProcess'), poller);
		try {
			child.send({ count, concurrency, warmUpMs: WARM_UP_MS, measuredMs: MEASURED_MS });
			return { cpuMicroseconds: await receiveMessage<number>(child) };
		} finally {
			child.kill();
			await once(child, 'exit');
		}
	};

/** Measures CPU time per poll. */
export const watcher: Measurement = {
	name: 'watcher',
	title: 'The watcher alone',
	method:
		'The part of the triggers that polls, without n8n and without a network: with real timers, each ID every 2 s, and requests that are answered after 5 ms. The table compares the CPU time of a poll with that of a loop that only polls.',
	async run(bench) {
		const contenders = {
			[BARE_LOOP]: createPollingContender('plain', POLLING_LOAD),
			[WATCHER]: createPollingContender('watcher', POLLING_LOAD),
		};
		const { cpuMicroseconds } = await interleave(bench, { name: POLLING_LOAD.name }, contenders);
		return [
			{
				name: 'watcher',
				unit: 'µs',
				rowHeader: 'watched',
				contenders: [BARE_LOOP, WATCHER],
				rows: [cpuMicroseconds!],
				goals: [
					{
						row: POLLING_LOAD.name,
						contender: WATCHER,
						against: BARE_LOOP,
						atMost: 2.5,
						reason:
							'For a poll, the bare loop uses a timer and a promise; the watcher also manages the order, the rate and the state of every ID.',
					},
				],
			},
		];
	},
};
