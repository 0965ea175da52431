import { BadInput } from '../errors';
import { isolateDirections, toDisplayText, escapeInvisible } from './displayText';
import type { ToolCall } from './toolCall';

/** Prefix of every argument's name and of nothing else, so that no argument can imitate one of the pack's own rows. */
export const ARGUMENT_MARK = '•';
/** Prefix of the name of every field of the workflow's data that the tool can read. */
export const DATA_MARK = '◇';

/** Limits, in rows and characters, of what a person can be expected to read before a decision. Services document none. */
const MAX_ROWS = 30;
const MAX_NAME_LENGTH = 100;
const MAX_ROW_LENGTH = 2000;
const MAX_TOTAL_LENGTH = 6000;
/** Leaves half of the total for the arguments. */
const MAX_DATA_LENGTH = 3000;

const USE_SHORTER_ARGUMENTS = 'Use fewer or shorter arguments in one call.';
const SHOW_IN_PART = "To show long arguments in part, change 'Long Arguments' in the options.";
const KEEP_FEWER_FIELDS =
	'Tell the person who runs this workflow: Put Edit Fields before the agent and keep only what it needs.';

/** Returns the rows that show a tool call: the pack's own rows, then all arguments and data. Throws if they exceed the limits. */
export function toolCallRows(
	{ tool, agent, arguments: toolArguments, workflowData }: ToolCall,
	{ workflow, shortens }: { workflow?: string; shortens: boolean },
): Record<string, string> {
	if (toolArguments.length > MAX_ROWS)
		throw tooMany(`${toolArguments.length} arguments`, USE_SHORTER_ARGUMENTS);
	const data = workflowData.map(dataRow);
	const dataLength = totalLength(data);
	if (toolArguments.length + data.length > MAX_ROWS) {
		throw tooMany(
			`${toolArguments.length} arguments and ${data.length} fields of the input`,
			KEEP_FEWER_FIELDS,
		);
	}
	if (dataLength > MAX_DATA_LENGTH) {
		throw tooLong("The workflow's data that the tool can read", MAX_DATA_LENGTH, KEEP_FEWER_FIELDS);
	}
	const maxLength = MAX_TOTAL_LENGTH - dataLength;
	const share = Math.min(MAX_ROW_LENGTH, Math.floor(maxLength / Math.max(1, toolArguments.length)));
	const rows = toolArguments.map((one) => argumentRow(one, shortens ? share : undefined));
	if (!shortens && totalLength(rows) > maxLength) {
		throw data.length === 0
			? tooLong(
					'The list of all arguments',
					MAX_TOTAL_LENGTH,
					`${USE_SHORTER_ARGUMENTS} ${SHOW_IN_PART}`,
				)
			: tooLong(
					'All that the tool would get',
					MAX_TOTAL_LENGTH,
					`${USE_SHORTER_ARGUMENTS} ${SHOW_IN_PART} ${KEEP_FEWER_FIELDS}`,
				);
	}
	return {
		Tool: toDisplayText(tool),
		Agent: toDisplayText(agent),
		...(workflow !== undefined && { Workflow: toDisplayText(workflow) }),
		Arguments:
			toolArguments.length === 0 ? 'none' : `${toolArguments.length}, marked ${ARGUMENT_MARK}`,
		...(data.length > 0 && { "Workflow's data": `${data.length}, marked ${DATA_MARK}` }),
		...Object.fromEntries(
			[...rows, ...data].map(([name, text]) => [name, isolateDirections(text)]),
		),
	};
}

type Row = [string, string];

/** Returns the row of an argument, shortened to `maxLength`. Without `maxLength`, an argument that is too long throws. */
function argumentRow([name, value]: [string, unknown], maxLength: number | undefined): Row {
	if (lengthOf(escapeInvisible(name)) > MAX_NAME_LENGTH) {
		throw tooLong('The name of an argument', MAX_NAME_LENGTH, USE_SHORTER_ARGUMENTS);
	}
	const text = escapeInvisible(value);
	const label = toDisplayText(name);
	if (maxLength !== undefined) return [`${ARGUMENT_MARK} ${label}`, cutMiddle(text, maxLength)];
	if (lengthOf(text) > MAX_ROW_LENGTH) {
		throw tooLong(
			`The argument ${label}`,
			MAX_ROW_LENGTH,
			`${USE_SHORTER_ARGUMENTS} ${SHOW_IN_PART}`,
		);
	}
	return [`${ARGUMENT_MARK} ${label}`, text];
}

function dataRow([name, value]: [string, unknown]): Row {
	if (lengthOf(escapeInvisible(name)) > MAX_NAME_LENGTH) {
		throw tooLong('The name of a field of the input', MAX_NAME_LENGTH, KEEP_FEWER_FIELDS);
	}
	const text = escapeInvisible(value);
	if (lengthOf(text) > MAX_ROW_LENGTH) {
		throw tooLong(
			`The field ${toDisplayText(name)} of the input`,
			MAX_ROW_LENGTH,
			KEEP_FEWER_FIELDS,
		);
	}
	return [`${DATA_MARK} ${toDisplayText(name)}`, text];
}

const totalLength = (rows: Row[]) => rows.reduce((sum, [, text]) => sum + lengthOf(text), 0);

/** Counts code points, so that an emoji outside the BMP is one character and not two. */
const lengthOf = (text: string) => [...text].length;

const tooLong = (part: string, maxLength: number, advice: string) =>
	new BadInput(
		`${part} has more than ${maxLength.toLocaleString('en')} characters, the most that a person is asked to read`,
		advice,
	);

const tooMany = (rowCount: string, advice: string) =>
	new BadInput(
		`The call has ${rowCount}, and a person is asked to read ${MAX_ROWS} rows at most`,
		advice,
	);

/** Shortens a text to `maxLength` characters. A note in place of its middle says how many characters are hidden. */
function cutMiddle(text: string, maxLength: number): string {
	const characters = [...text];
	const excess = characters.length - maxLength;
	if (excess <= 0) return text;
	const half = Math.floor(maxLength / 2);
	const head = characters.slice(0, half).join('');
	const tail = characters.slice(characters.length - half).join('');
	const hiddenCount = characters.length - 2 * half;
	return `${head} […${hiddenCount.toLocaleString('en')} characters hidden…] ${tail}`;
}
