import { fork } from 'node:child_process';
import { once } from 'node:events';

import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { nextMessage, startChild } from '../harness/processes';

const OURS = 'longest turn of the event loop';
/** Limit for one turn: n8n answers no request meanwhile. */
const LONGEST_MS = 50;

/** Follows a list for some polls in a child process, and returns the longest turn. */
const follow: Contender = async () => {
	const script = require.resolve('../comparing');
	const server = startChild(script, 'serve');
	try {
		const url = await nextMessage<string>(server);
		const child = fork(script, ['follow', url], { execArgv: ['--import', 'tsx'] });
		try {
			return { work: await nextMessage<number>(child) };
		} finally {
			child.kill();
			await once(child, 'exit');
		}
	} finally {
		server.kill();
	}
};

/** Measures how long comparing a list blocks n8n's event loop. */
export const comparing: Measurement = {
	name: 'comparing',
	title: 'A long list is compared',
	about:
		'The Event Data Trigger follows 10,000 attendees on n8n’s own trigger context. They come in one answer every 10 s, and ten of them differ each time. How much of the processor the longest turn of the event loop takes: reading the answer, comparing, starting and saving included.',
	async run(bench) {
		const { work } = await interleave(
			bench,
			{ name: '10,000 records in one answer' },
			{ [OURS]: follow },
		);
		const longest = Math.max(...work!.values[OURS]!);
		const verdict = longest <= LONGEST_MS ? 'below' : '**above**';
		return [
			{
				name: 'comparing',
				unit: 'ms',
				rowHeader: 'list',
				contenders: [OURS],
				rows: [work!],
				shown: 'table',
				notes: [`The longest turn of all rounds is ${verdict} the limit of ${LONGEST_MS} ms.`],
			},
		];
	},
};
