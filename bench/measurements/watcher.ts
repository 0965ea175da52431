import { once } from 'node:events';

import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { receiveMessage, startChild } from '../harness/processes';

/** Time until all IDs are polled evenly, and time that is measured after it. */
const WARM_UP_MS = 2200;
const MEASURED_MS = 2200;
const BARE_LOOP = 'bare polling loop';
const WATCHER = 'watcher';
const load = { name: '10,000 IDs, fifty at a time', count: 10_000, concurrency: 50 };

/** Polls for a while in a process of its own. Returns CPU time per poll. */
const pollInChild =
	(
		poller: 'plain' | 'watcher',
		{ count, concurrency }: { count: number; concurrency: number },
	): Contender =>
	async () => {
		const child = startChild(require.resolve('../pollerProcess'), poller);
		try {
			child.send({ count, concurrency, warmUpMs: WARM_UP_MS, measuredMs: MEASURED_MS });
			return { work: await receiveMessage<number>(child) };
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
		'What the triggers poll with, without n8n and without a network: real timers, every ID every 2 s, and requests that are answered after 5 ms. The work per poll, beside a loop that does nothing but poll.',
	async run(bench) {
		const contenders = {
			[BARE_LOOP]: pollInChild('plain', load),
			[WATCHER]: pollInChild('watcher', load),
		};
		const { work } = await interleave(bench, { name: load.name }, contenders);
		return [
			{
				name: 'watcher',
				unit: 'µs',
				rowHeader: 'watched',
				contenders: [BARE_LOOP, WATCHER],
				rows: [work!],
				goals: [
					{
						row: load.name,
						contender: WATCHER,
						against: BARE_LOOP,
						atMost: 2.5,
						reason:
							'A poll of the bare loop is a timer and a promise; the watcher keeps the order, the pace and the state of every ID besides.',
					},
				],
			},
		];
	},
};
