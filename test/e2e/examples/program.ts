import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import type { ExampleRun, Scenario } from './exampleRun';
import { downloadFile, readCsv } from './readBack';
import type { EndedExecution } from './runs';

const FILE = '16-event-program.json';

/** Reads the titles of an event's sessions from the service itself, in the order in which they begin. */
async function readTitles({ lab }: ExampleRun, eventId: string): Promise<unknown[]> {
	const { baseUrl, headerName, apiKey } = lab.sandbox.credentials.eventDataApi!;
	const { data } = await axios.get<IDataObject[] | { sessions: IDataObject[] }>(
		`${baseUrl}/sessions`,
		{
			params: { eventId },
			headers: { [`${headerName as string}`]: apiKey as string },
			proxy: false,
		},
	);
	const sessions = Array.isArray(data) ? data : data.sessions;
	return sessions
		.sort((a, b) => Date.parse(`${a.startTime as string}`) - Date.parse(`${b.startTime as string}`))
		.map(({ title }) => title);
}

const readProgramRows = async ({ lab }: ExampleRun, endedRun: EndedExecution) => {
	const { fileName, text } = await downloadFile(lab.rest, endedRun, 'Make a CSV file');
	expect(fileName).toBe('program.csv');
	return readCsv(text.replace(/^\uFEFF/, ''));
};

/** Scenarios of the example about a program: for one event, and for three. */
export const program: Record<string, Scenario> = {
	[FILE]: {
		does: 'writes all sessions to a file, in the order of their start',
		async play(run) {
			const rows = await readProgramRows(run, await run.run());
			expect(rows.map(({ Title }) => Title).sort()).toEqual(
				(await readTitles(run, 'evt_1001')).sort(),
			);
			const startTimes = rows.map(({ Begins }) => Begins);
			expect(startTimes).toEqual([...startTimes].sort());
			expect(rows.every(({ Event }) => Event === 'Open Data Forum')).toBe(true);
		},
	},
};

export const threeItemPrograms: Record<string, (run: ExampleRun) => Promise<void>> = {
	async [FILE](run) {
		const input = ['evt_1001', 'evt_1002', 'evt_1003'].map((eventId) => ({
			eventId,
			event: `Event ${eventId}`,
		}));
		const rows = await readProgramRows(run, await run.runWith('Events to print', input));
		for (const { eventId, event } of input) {
			const titles = rows.filter((row) => row.Event === event).map(({ Title }) => Title);
			expect(titles.sort()).toEqual((await readTitles(run, eventId)).sort());
		}
	},
};
