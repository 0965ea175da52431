import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { dateTimeField, eventId } from '../fields';
import { lists } from '../lists';
import { sessionShape } from '../records';
import { criteria, criterionReader } from '../search';

export const search = operation({
	name: 'Search',
	action: 'Search sessions',
	description: 'Find sessions by title, start or end',
	request: 'POST /api/v1/events/{eventId}/sessions/search',
	body: 'json',
	fields: {
		eventId,
		criteria: criteria([
			dateTimeField('Ending After', 'endingAfter', 'Only sessions that end after this time', {
				in: 'body',
				as: 'EndingAfter',
			}),
			dateTimeField('Ending Before', 'endingBefore', 'Only sessions that end before this time', {
				in: 'body',
				as: 'EndingBefore',
			}),
			dateTimeField('Starting After', 'startingAfter', 'Only sessions that start after this time', {
				in: 'body',
				as: 'StartingAfter',
			}),
			dateTimeField(
				'Starting Before',
				'startingBefore',
				'Only sessions that start before this time',
				{
					in: 'body',
					as: 'StartingBefore',
				},
			),
			field({
				displayName: 'Title',
				name: 'title',
				type: 'string',
				default: '',
				placeholder: 'e.g. keynote',
				description: 'Words that the title contains',
				read: criterionReader('Title'),
				readWhenBlank: true,
				target: { in: 'body', as: 'Title' },
			}),
		]),
	},
	idempotent: true,
	readOnly: true,
	paging: lists.sessions.paging,
	...sessionShape,
});
