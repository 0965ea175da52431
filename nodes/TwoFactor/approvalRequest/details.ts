import { field } from '../../engine/field';
import type { Request } from '../../engine/http/types';
import { escapeDirectionControls } from '../../engine/review/displayText';
import { isRecord } from '../../engine/values/isRecord';
import { nameAndValueRows, readDetailJson, readDetailRows, rejectRepeated } from './rows';

/** Details that the user sees with the question, as rows or as JSON. */
export const details = {
	specifyDetails: field({
		displayName: 'Specify Details',
		name: 'specifyDetails',
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'rows' },
			{ name: 'Using JSON', value: 'json' },
		],
		default: 'rows',
	}),
	details: nameAndValueRows({
		displayName: 'Details',
		name: 'details',
		description: 'Names and values that the user sees with the message',
		displayOptions: { show: { specifyDetails: ['rows'] } },
		target: { in: 'body' },
	}),
	detailsJson: field({
		displayName: 'Details',
		name: 'detailsJson',
		type: 'json',
		default: '{}',
		description: 'Names and values that the user sees with the message, as a JSON object',
		displayOptions: { show: { specifyDetails: ['json'] } },
		read: (raw, _, label) => readDetailJson(label, raw),
		target: { in: 'body', as: 'details' },
	}),
};

/** Returns a request whose details show direction controls as escapes, in names and values. `readMessage` does so for messages. */
export function withVisibleDetails(request: Request): Request {
	const body = isRecord(request.json) ? request.json : {};
	if (!isRecord(body.details)) return request;
	const rows = Object.entries(body.details).map(([name, value]) => [
		escapeDirectionControls(name),
		escapeDirectionControls(`${value}`),
	]);
	rejectRepeated(
		details.details.displayName,
		rows.map(([name = '']) => name),
	);
	return { ...request, json: { ...body, details: Object.fromEntries(rows) } };
}

const hiddenDetailRows = nameAndValueRows({
	displayName: 'Hidden Details',
	name: 'hiddenDetails',
	placeholder: 'Add hidden detail',
	description: "Names and values kept with the request that the user doesn't see",
	target: { in: 'body', as: 'hidden_details' },
});

/** Details that the user does not see and the service returns with the decision, as rows, JSON or both. */
export const hiddenDetails = {
	hiddenDetails: hiddenDetailRows,
	hiddenDetailsJson: field({
		displayName: 'Hidden Details (JSON)',
		name: 'hiddenDetailsJson',
		type: 'json',
		default: '{}',
		description: "As a JSON object, instead of 'Hidden Details' or in addition to them",
		read: (raw, context, label) => {
			const json = readDetailJson(label, raw);
			return (
				json && {
					...readDetailRows(hiddenDetailRows.displayName, context.rawValue(hiddenDetailRows)),
					...json,
				}
			);
		},
		target: { in: 'body', as: 'hidden_details' },
	}),
};
