import { BadInput } from '../../engine/errors';
import { field } from '../../engine/field';
import { isRecord } from '../../engine/values/isRecord';

const MAX_LOGOS = 4;

export const logos = field({
	displayName: 'Logos',
	name: 'logos',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add logo',
	default: {},
	description: 'Pictures that the app shows with the message, one per resolution',
	options: [
		{
			displayName: 'Logo',
			name: 'logo',
			values: [
				{
					displayName: 'Resolution',
					name: 'res',
					type: 'options',
					options: [
						{ name: 'Default', value: 'default' },
						{ name: 'High', value: 'high' },
						{ name: 'Low', value: 'low' },
						{ name: 'Medium', value: 'med' },
					],
					default: 'default',
					description: 'Screen resolution',
				},
				{
					displayName: 'URL',
					name: 'url',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://app.example.com/logo.png',
				},
			],
		},
	],
	read: (raw) => readLogos(raw),
	target: { in: 'body' },
});

function readLogos(raw: unknown) {
	const { logo = [] } = isRecord(raw) ? raw : {};
	const rows = [logo].flat().map((row) => {
		const { res = 'default', url } = isRecord(row) ? row : {};
		return { res, url: `${url}`.trim() };
	});
	if (rows.length > MAX_LOGOS) {
		throw new BadInput(
			`'Logos' has ${rows.length} rows, and ${MAX_LOGOS} is the most`,
			'Remove some.',
		);
	}
	for (const { url } of rows) {
		const protocol = URL.canParse(url) ? new URL(url).protocol : '';
		if (!/^https?:$/.test(protocol)) {
			throw new BadInput(
				"'Logos' has a URL that is not a web address",
				'Enter the full address of every picture, e.g. https://app.example.com/logo.png.',
			);
		}
	}
	return rows.length === 0 ? undefined : rows;
}
