import type { ITriggerFunctions } from 'n8n-workflow';

import type { Client } from '../../engine/http/client';
import { NameResolver } from '../../engine/http/names';
import { chosenId, chosenText, holdsName } from '../../engine/trigger/lists/settings';
import { idNumber } from '../../engine/values/convert';
import { NAMED_NUMBER_ID } from '../ids';
import { eventNames, readEventId, registrationTypeNames } from '../names';

interface Choice {
	given: string;
	isName: boolean;
}

/**
 * The event, and the registration type if any, that the trigger follows. Names are looked up once, in the first round that
 * finds them: a record that is renamed later is still followed, until the trigger starts again and looks its old name up.
 */
export class ChosenEvent {
	private readonly event: Choice;
	private readonly type: Choice;
	private eventId: string | undefined;
	private typeId: string | undefined;

	/**
	 * Reads the parameters. `needsNumber`: requests have the ID of the event as their body, so it must be a number. `needsType`:
	 * the trigger follows registrations, which the type filters.
	 */
	constructor(
		context: ITriggerFunctions,
		{ needsNumber, needsType }: { needsNumber: boolean; needsType: boolean },
	) {
		this.event = {
			given: chosenId(context, 'eventId', 'Event'),
			isName: holdsName(context, 'eventId'),
		};
		this.type = {
			given: needsType ? chosenText(context, 'registrationTypeId') : '',
			isName: holdsName(context, 'registrationTypeId'),
		};
		if (needsNumber && !this.event.isName) {
			idNumber('Event', NAMED_NUMBER_ID.advice)(this.event.given);
		}
	}

	/** Returns the ID of the event. Throws if its name is not found, or found more than once. */
	async findEvent(client: Client): Promise<string> {
		const { given, isName } = this.event;
		// A resolver keeps the failure to read a list, so each try has its own.
		return (this.eventId ??= isName
			? await new NameResolver().find(client, eventNames, given)
			: given);
	}

	/** Returns the ID of the registration type; '' if the user chose none. Throws like `findEvent`. */
	async findType(client: Client): Promise<string> {
		const { given, isName } = this.type;
		if (given === '' || !isName) return given;
		const eventId = readEventId(await this.findEvent(client));
		return (this.typeId ??= await new NameResolver().find(
			client,
			registrationTypeNames,
			given,
			eventId,
		));
	}
}
