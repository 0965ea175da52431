import { fork } from 'node:child_process';
import { once } from 'node:events';

import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { receiveMessage, startChild } from '../harness/processes';

const LONGEST_TURN = 'longest turn of the event loop';
/** Limit for one turn: n8n answers no request meanwhile. */
const MAX_TURN_MS = 50;

/** Follows a list for some polls in a child process, and returns the longest turn. */
const followList: Contender = async () => {
	const script = require.resolve('../listComparisonProcess');
	const server = startChild(script, 'serve');
	try {
		const url = await receiveMessage<string>(server);
		const child = fork(script, ['follow', url], { execArgv: ['--import', 'tsx'] });
		try {
			return { work: await receiveMessage<number>(child) };
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
	method:
		'The Event Data Trigger follows 10,000 attendees on n8n’s own trigger context. They come in one answer every 10 s, and ten of them differ each time. How much of the processor the longest turn of the event loop takes: reading the answer, comparing, starting and saving included.',
	async run(bench) {
		const { work } = await interleave(
			bench,
			{ name: '10,000 records in one answer' },
			{ [LONGEST_TURN]: followList },
		);
		const longestMs = Math.max(...work!.values[LONGEST_TURN]!);
		const position = longestMs <= MAX_TURN_MS ? 'below' : '**above**';
		return [
			{
				name: 'comparing',
				unit: 'ms',
				rowHeader: 'list',
				contenders: [LONGEST_TURN],
				rows: [work!],
				display: 'table',
				notes: [`The longest turn of all rounds is ${position} the limit of ${MAX_TURN_MS} ms.`],
			},
		];
	},
};
