import { once } from 'node:events';

import { interleave } from '../harness/measurement';
import type { Contender, Measurement } from '../harness/measurement';
import { receiveMessage, startChild } from '../harness/processes';

const LONGEST_TURN = 'longest turn of the event loop';
/** Limit for one turn: n8n answers no request meanwhile. */
const MAX_TURN_MS = 50;

/** Follows a list for some polls in a child process, and returns its longest event-loop turn. */
const measureLongestTurn: Contender = async () => {
	const script = require.resolve('../listComparisonProcess');
	const server = startChild(script, 'serve');
	try {
		const url = await receiveMessage<string>(server);
		const child = startChild(script, 'follow', { args: [url] });
		try {
			return { longestTurnMs: await receiveMessage<number>(child) };
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
	title: 'Comparing a long list',
	method:
		'The Event Data Trigger follows 10,000 attendees on n8n’s own trigger context. One answer every 10 s contains all of them, and ten have changed each time. The table shows the CPU time of the longest turn of the event loop, in which the trigger reads the answer, compares, starts executions or saves.',
	async run(bench) {
		const { longestTurnMs } = await interleave(
			bench,
			{ name: '10,000 records in one answer' },
			{ [LONGEST_TURN]: measureLongestTurn },
		);
		const maxMs = Math.max(...longestTurnMs!.values[LONGEST_TURN]!);
		const position = maxMs <= MAX_TURN_MS ? 'below' : '**above**';
		return [
			{
				name: 'comparing',
				unit: 'ms',
				rowHeader: 'list',
				contenders: [LONGEST_TURN],
				rows: [longestTurnMs!],
				display: 'table',
				notes: [`The longest turn of all rounds is ${position} the limit of ${MAX_TURN_MS} ms.`],
			},
		];
	},
};
