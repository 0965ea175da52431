import type { IDataObject } from 'n8n-workflow';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { ServiceName } from '../../sandbox/service';
import type { Sample } from '../support/samples/sample';

const folder = path.resolve(__dirname, '..', '..', 'docs', 'reference', 'examples');
/** Set by `npm run reference`, which records the examples again. */
const isRecording = process.env.RECORD_EXAMPLES === '1';
const MAX_TEXT_LENGTH = 60;
const MAX_ENTRIES = 2;

/**
 * Output items that the reference shows, one per operation. They were recorded from runs of the samples; this checks that an
 * operation still returns the same fields. Values are not compared: times and tokens differ from run to run.
 */
export function outputExamples(service: ServiceName) {
	const file = path.join(folder, `${service}.json`);
	const recordedItems = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, IDataObject>)
		: {};
	const outputsByLabel = new Map<string, IDataObject>();
	return {
		/** Compares the fields of an output item with the recorded ones. Only an operation's first sample is shown. */
		check({ resource, operation }: Sample, item: IDataObject): void {
			const name = `${resource}.${operation}`;
			if (outputsByLabel.has(name)) return;
			outputsByLabel.set(name, shorten(item) as IDataObject);
			if (isRecording) return;
			expect(Object.keys(recordedItems[name] ?? {})).toEqual(Object.keys(item));
		},
		/** Writes the recorded examples, if this run records them. */
		save(): void {
			if (!isRecording) return;
			mkdirSync(folder, { recursive: true });
			const sortedOutputs = [...outputsByLabel].sort(([a], [b]) => (a < b ? -1 : 1));
			writeFileSync(file, `${JSON.stringify(Object.fromEntries(sortedOutputs), null, '\t')}\n`);
		},
	};
}

/** Cuts off long texts and lists, which would fill a page. */
function shorten(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value;
	}
	if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map(shorten);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]));
}
