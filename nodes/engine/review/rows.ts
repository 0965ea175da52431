import { BadInput } from '../errors';
import { isolated, shown, visible } from './shown';
import type { ToolCall } from './toolCall';

/** Stands before the name of every argument and of nothing else, so that none passes for one of our own rows. */
export const MARK = '•';
/** Stands before the name of every field of the workflow's data that the tool can read. */
export const DATA_MARK = '◇';

/** What a person can be expected to read before a decision. Services name no limits of their own. */
const MAX_ROWS = 30;
const MAX_NAME_LENGTH = 100;
const MAX_ROW_LENGTH = 2000;
const MAX_TOTAL_LENGTH = 6000;
/** Leaves half for the arguments. */
const MAX_DATA_LENGTH = 3000;

const USE_SHORTER_ARGUMENTS = 'Use fewer or shorter arguments in one call.';
const SHOW_IN_PART = "To show long arguments in part, change 'Long Arguments' in the options.";
const KEEP_FEWER_FIELDS =
	'Tell the person who runs this workflow: Put Edit Fields before the agent and keep only what it needs.';

/** What a person sees of a tool call: our own rows first, and then every argument. Throws where not all of it fits. */
export function rowsOf(
	{ tool, agent, arguments: given, workflowData }: ToolCall,
	{ workflow, shortens }: { workflow?: string; shortens: boolean },
): Record<string, string> {
	if (given.length > MAX_ROWS) throw tooMany(`${given.length} arguments`, USE_SHORTER_ARGUMENTS);
	const data = workflowData.map(dataRow);
	const dataLength = totalLength(data);
	if (given.length + data.length > MAX_ROWS) {
		throw tooMany(
			`${given.length} arguments and ${data.length} fields of the input`,
			KEEP_FEWER_FIELDS,
		);
	}
	if (dataLength > MAX_DATA_LENGTH) {
		throw tooLong("The workflow's data that the tool can read", MAX_DATA_LENGTH, KEEP_FEWER_FIELDS);
	}
	const room = MAX_TOTAL_LENGTH - dataLength;
	const share = Math.min(MAX_ROW_LENGTH, Math.floor(room / Math.max(1, given.length)));
	const rows = given.map((one) => argumentRow(one, shortens ? share : undefined));
	if (!shortens && totalLength(rows) > room) {
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
		Tool: shown(tool),
		Agent: shown(agent),
		...(workflow !== undefined && { Workflow: shown(workflow) }),
		Arguments: given.length === 0 ? 'none' : `${given.length}, marked ${MARK}`,
		...(data.length > 0 && { "Workflow's data": `${data.length}, marked ${DATA_MARK}` }),
		...Object.fromEntries([...rows, ...data].map(([name, text]) => [name, isolated(text)])),
	};
}

type Row = [string, string];

/** The row of an argument, of at most so many characters where it may be shortened. */
function argumentRow([name, value]: [string, unknown], maxLength: number | undefined): Row {
	if (lengthOf(visible(name)) > MAX_NAME_LENGTH) {
		throw tooLong('The name of an argument', MAX_NAME_LENGTH, USE_SHORTER_ARGUMENTS);
	}
	const text = visible(value);
	const label = shown(name);
	if (maxLength !== undefined) return [`${MARK} ${label}`, cutMiddle(text, maxLength)];
	if (lengthOf(text) > MAX_ROW_LENGTH) {
		throw tooLong(
			`The argument ${label}`,
			MAX_ROW_LENGTH,
			`${USE_SHORTER_ARGUMENTS} ${SHOW_IN_PART}`,
		);
	}
	return [`${MARK} ${label}`, text];
}

function dataRow([name, value]: [string, unknown]): Row {
	if (lengthOf(visible(name)) > MAX_NAME_LENGTH) {
		throw tooLong('The name of a field of the input', MAX_NAME_LENGTH, KEEP_FEWER_FIELDS);
	}
	const text = visible(value);
	if (lengthOf(text) > MAX_ROW_LENGTH) {
		throw tooLong(`The field ${shown(name)} of the input`, MAX_ROW_LENGTH, KEEP_FEWER_FIELDS);
	}
	return [`${DATA_MARK} ${shown(name)}`, text];
}

const totalLength = (rows: Row[]) => rows.reduce((sum, [, text]) => sum + lengthOf(text), 0);

/** By code points: an emoji is not two characters. */
const lengthOf = (text: string) => [...text].length;

const tooLong = (what: string, maxLength: number, advice: string) =>
	new BadInput(
		`${what} has more than ${maxLength.toLocaleString('en')} characters, the most that a person is asked to read`,
		advice,
	);

const tooMany = (what: string, advice: string) =>
	new BadInput(
		`The call has ${what}, and a person is asked to read ${MAX_ROWS} rows at most`,
		advice,
	);

/** The beginning and the end of a text, and how much lies between. */
function cutMiddle(text: string, maxLength: number): string {
	const characters = [...text];
	const hidden = characters.length - maxLength;
	if (hidden <= 0) return text;
	const half = Math.floor(maxLength / 2);
	const head = characters.slice(0, half).join('');
	const tail = characters.slice(characters.length - half).join('');
	const between = characters.length - 2 * half;
	return `${head} […${between.toLocaleString('en')} characters hidden…] ${tail}`;
}
