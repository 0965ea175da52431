import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SHORT_WAIT_MS } from '../../nodes/engine/park/waitTimes';
import { toolCallRows } from '../../nodes/engine/review/toolCallRows';
import { postedIds } from '../../nodes/engine/trigger/ids/webhook/intake';
import {
	chainDigest,
	contentDigest,
	statusDigest,
} from '../../nodes/engine/trigger/lists/core/digest';
import { serializeState } from '../../nodes/engine/trigger/lists/core/recordState';
import { FOLLOW_DEFAULTS } from '../../nodes/engine/trigger/lists/core/types';
import { MAX_BLOCKING_WAIT_S } from '../../nodes/engine/wait/wait';
import { MAX_MESSAGE_LENGTH } from '../../nodes/TwoFactor/approvalRequest/message';
import { packServices } from '../support/pack';
import { root } from './files';

const MAX_BYTES = 8192;
const textOf = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');

/** Returns the cells of the rows below a table's head that begins with the given cells. */
function tableIn(text: string, ...head: string[]): string[][] {
	const lines = text.split('\n');
	const start = lines.findIndex((line) => line.startsWith(`| ${head.join(' | ')} |`));
	if (start < 0) throw new Error(`There is no table with the head ${head.join(', ')}`);
	const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
	return lines.slice(start + 2, end).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const sectionOf = (text: string, heading: string) =>
	text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

const triggers = packServices.flatMap(({ Trigger }) =>
	Trigger ? [new Trigger().description] : [],
);
const propertyOf = ({ properties }: INodeTypeDescription, name: string) =>
	properties.find((property) => property.name === name);
/** The triggers that have a property. */
const triggersWith = (name: string) => triggers.filter((trigger) => propertyOf(trigger, name));

/** Returns a default as the pages write it. */
function formatDefault(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	// Of these options, an empty text and 0 mean that there is no condition.
	return value === '' || value === 0 ? 'any' : Number(value).toLocaleString('en');
}

test.each(['agents.md', 'triggers.md', 'waiting.md'])('%s fits in 8 kB', (page) => {
	expect(Buffer.byteLength(textOf(page))).toBeLessThanOrEqual(MAX_BYTES);
});

describe('docs/triggers.md', () => {
	const text = textOf('triggers.md');

	test.each([
		['Triggers that follow lists', triggersWith('triggerOn')],
		['Triggers that watch IDs', triggersWith('outcomes')],
	])(
		'%s: the table has every option with its default and its limits',
		(heading, describedTriggers) => {
			const rows = tableIn(sectionOf(text, heading), 'Option', 'Default');
			const options = describedTriggers.flatMap(
				(trigger) => propertyOf(trigger, 'options')!.options as INodeProperties[],
			);
			const documentedDefaults = rows.flatMap(([names = '', value]) =>
				names.split(', ').map((name) => [name, value]),
			);
			expect(Object.fromEntries(documentedDefaults)).toEqual(
				Object.fromEntries(
					options.map((option) => [option.displayName, formatDefault(option.default)]),
				),
			);
			const { minValue, maxValue } = options.find(({ displayName }) =>
				displayName.startsWith('Polling Interval'),
			)!.typeOptions!;
			const [, , intervalText] = rows.find(([name]) => name!.startsWith('Polling Interval'))!;
			expect(intervalText).toMatch(
				maxValue! < 60
					? new RegExp(`, from ${minValue} to ${maxValue}$`)
					: new RegExp(`, at least ${minValue}$`),
			);
		},
	);

	test('has every change that starts a workflow', () => {
		const [, ...cells] = /^\| Trigger On \| (.*) \| (.*) \|$/m.exec(text)!;
		const documentedChanges = cells.map((cell) => cell.split(/[,;] (?:[^,;:]*: )?/).sort());
		const [, ...names] = /^\| \| ([^|]+) \| ([^|]+) \|$/m.exec(text)!;
		const offeredChanges = triggersWith('triggerOn').map((trigger): [string, string[]] => {
			const kinds = propertyOf(trigger, 'triggerOn')!.options as INodePropertyOptions[];
			return [trigger.displayName, kinds.map(({ name }) => name).sort()];
		});
		expect(new Map(names.map((name, index) => [name, documentedChanges[index]!]))).toEqual(
			new Map(offeredChanges),
		);
	});

	test('says how long an event counts as current', () => {
		const panel = JSON.stringify(
			triggersWith('where').map((trigger) => propertyOf(trigger, 'where')),
		);
		const [days] = /until \d+ days after/.exec(panel)!;
		expect(text).toContain(`${days} their end`);
	});

	test('says how much of a record is stored', () => {
		const state = {
			content: contentDigest({ id: 1 }),
			status: statusDigest('confirmed'),
			bits: 0,
			isKept: false,
		};
		const short = serializeState({ ...state, chain: '' }).length;
		const long = serializeState({ ...state, chain: chainDigest('key') }).length;
		expect(text.match(/\d+ or \d+ characters/g)).toEqual(
			Array(2).fill(`${short} or ${long} characters`),
		);
		expect(text).toContain(`up to ${FOLLOW_DEFAULTS.maxKnown.toLocaleString('en')} records`);
	});

	test('has the command of the panel, and a body that the webhook accepts', () => {
		const [, command] = /```sh\n(curl .*)\n```/.exec(text)!;
		expect(triggersWith('webhookNotice')).toHaveLength(triggersWith('outcomes').length);
		for (const trigger of triggersWith('webhookNotice'))
			expect(propertyOf(trigger, 'webhookNotice')!.displayName).toContain(`<li>${command}</li>`);
		const [, body] = /```json\n(.*)\n```/.exec(text)!;
		expect(postedIds(JSON.parse(body!), (subject) => `${subject}`)).toEqual([
			{ id: '…' },
			{ id: '…', data: { order: 1042 }, subject: '…' },
		]);
	});
});

describe('docs/waiting.md', () => {
	const text = textOf('waiting.md');

	test('has the time limits of the operations', () => {
		const limits = packServices.flatMap(({ Node }) =>
			new Node().description.properties.filter(({ name }) => name === 'waitLimit'),
		);
		const documentedLimits = [...text.matchAll(/_(Max Wait for [^_]+)_, (\d+),/g)];
		expect(new Set(documentedLimits.map(([, name, value]) => `${name} ${value}`))).toEqual(
			new Set(limits.map((property) => `${property.displayName} ${property.default as number}`)),
		);
	});

	test('says when an execution keeps running, and for how long', () => {
		expect(text).toContain(
			`With a wait of ${SHORT_WAIT_MS / 1000} seconds or less the execution also keeps running`,
		);
		expect(text).toContain('it waits for an hour at most');
		expect(MAX_BLOCKING_WAIT_S).toBe(3600);
	});
});

describe('docs/agents.md', () => {
	const text = textOf('agents.md');
	const limits = new Map(
		tableIn(text, 'Shown in full', 'At most').map(([label, most]) => [
			label,
			Number(most!.replaceAll(',', '')),
		]),
	);
	const [maxRows, maxPerRow, maxTotal, maxFromInput] = [
		'rows',
		'characters in one row',
		'characters in all',
		'characters from the input',
	].map((label) => limits.get(label)!) as [number, number, number, number];
	const showRows = (values: string[], input: string[] = []) =>
		toolCallRows(
			{
				tool: 'Refund',
				agent: 'Agent',
				arguments: values.map((value, index) => [`a${index}`, value]),
				workflowData: input.map((value, index) => [`d${index}`, value]),
			},
			{ shortens: false },
		);
	/** Texts of the given total length, each as long as a row may be. */
	const rowsOfTotalLength = (total: number) =>
		Array.from({ length: Math.ceil(total / maxPerRow) }, (_, index) =>
			'x'.repeat(Math.min(maxPerRow, total - index * maxPerRow)),
		);

	test.each([
		[
			'rows',
			() => showRows(Array(maxRows).fill('x')),
			() => showRows(Array(maxRows + 1).fill('x')),
		],
		[
			'one row',
			() => showRows(['x'.repeat(maxPerRow)]),
			() => showRows(['x'.repeat(maxPerRow + 1)]),
		],
		[
			'all',
			() => showRows(rowsOfTotalLength(maxTotal)),
			() => showRows(rowsOfTotalLength(maxTotal + 1)),
		],
		[
			'the input',
			() => showRows([], rowsOfTotalLength(maxFromInput)),
			() => showRows([], rowsOfTotalLength(maxFromInput + 1)),
		],
	])('has the limit of %s', (_, longest, tooLong) => {
		expect(longest).not.toThrow();
		expect(tooLong).toThrow();
	});

	test('has the length of a message', () => {
		expect(text).toContain(`messages of ${MAX_MESSAGE_LENGTH} characters`);
	});

	test('names operations that exist', () => {
		const operations = packServices.flatMap(({ service }) =>
			Object.values(service.resources).flatMap((resource) =>
				Object.values(resource.operations).flatMap(({ name }) => [
					name,
					`${resource.name}: ${name}`,
				]),
			),
		);
		const namedOperations = tableIn(text, 'Review every tool that', 'Operations').flatMap(
			([, cell]) => [...cell!.matchAll(/_([^_]+)_/g)].map(([, name]) => name),
		);
		expect(namedOperations.length).toBeGreaterThan(10);
		// 'Apply' is a mode of Sync.
		expect(
			namedOperations.filter((name) => name !== 'Apply' && !operations.includes(name!)),
		).toEqual([]);
	});
});
