import { leaveThingsBehind } from './leaves';

leaveThingsBehind('one');
