"""What each feature of a sheet adds to what is still to come, learned from games.

Each line is a feature and its weights in thousandths of a point: by the part of the game that is
left, by its square root. Of a hand: the weight alone. How they were learned: docs/bots.md.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

TURNS = 15


@cache
def table(left: int) -> dict[str, float]:
    """Return the weights in points of all features with so many turns left after this one."""
    part = left / TURNS
    found = {}
    for line in LEARNED.splitlines():
        name, _, numbers = line.partition(":")
        weights = [int(each) for each in numbers.split()]
        if len(weights) == 1:
            found[name] = weights[0] / 1000
        elif weights:
            found[name] = (weights[0] * part + weights[1] * sqrt(part)) / 1000
    return found


LEARNED = """\
1 10: -150 295
1 11: -1597 1089
1 12: -3737 2792
1 13: -1381 1363
1 2: 16 62
1 3: 12 318
1 4: -79 212
1 5: -246 1112
1 6: 215 1124
1 7: 539 880
1 8: -730 815
1 9: 60 470
2 0: 1683 1511
2 1: 2611 399
2 10: 1772 -2587
2 11: 1331 -484
2 12: -935 600
2 13: 652 946
2 2: 765 206
2 3: 475 655
2 4: 776 117
2 5: 755 207
2 6: -1614 1055
2 7: -1514 181
2 8: 38 767
2 9: 1820 -280
3 1: 137 327
3 10: 1019 959
3 11: 184 -377
3 12: 237 -677
3 13: 4194 -5872
3 2: 150 49
3 3: 29 210
3 4: -444 -378
3 5: 787 -1505
3 7: -1971 332
3 8: 1284 -1255
3 9: -1313 1708
4 0: 1858 -1179
4 1: 136 1439
4 2: -34 220
4 3: 1553 1133
4 4: 4451 2794
4 5: 331 1686
4 6: -498 1269
4 7: -590 2501
4 8: -1020 625
cash 12: -55 -162
cash 16: -806 499
cash 2: 1062 -363
cash 24: 75 17
cash 4: 127 -57
cash 6: -80 0
cash 8: 1336 -678
gold 1: -92 396
gold 12: 938 -615
gold 2: -589 533
gold 20: -696 690
gold 4: -756 604
gold 6: -258 -5
gold 8: 499 -157
hammers 4: 1150 1685
hand 1 fs: 1660
hand 11 : 258
hand 11 f: 465
hand 11 fs: 718
hand 11 s: 353
hand 111 : -722
hand 111 f: 295
hand 111 fs: 646
hand 111 s: -419
hand 2 : 1335
hand 21 : 696
hand 3 : 3181
hotel 0: 2690 1453
hotel 1: 1939 1476
hotel 2: -223 -266
hotel 3: 70 194
item 0: -669 -1265
item 1: 104 372
item 10: -19 -135
item 11: 514 410
item 12: 137 327
item 2: 445 -1956
item 3: 454 84
item 4: 132 -140
item 5: 280 1445
item 7: 110 42
item 9: 182 -234
kind 0 1: -172 -167
kind 0 2: 58 683
kind 0 3: 4450 2166
kind 1 0: -747 -1012
kind 1 1: 489 3244
kind 1 2: 1773 -334
kind 1 3: 2938 896
kind 2 0: -31 -2712
kind 2 1: -1955 4793
kind 2 2: 3183 131
kind 2 3: 3255 582
kind 3 0: -3972 -256
kind 3 1: 2010 1859
kind 3 2: 1180 2294
kind 3 3: 5233 -1104
land 0: 187 -54
land 1: 124 -559
land 2: -7 -22
land 3: -91 283
land 4: 1566 -922
land 5: 67 385
land 6: -1081 -143
land 7: 1446 -245
land 8: 1330 -228
open 0: 2768 1282
open 1: 1840 2394
open 10: -3434 2612
open 11: -2819 2278
open 12: -67 644
open 13: -614 -178
open 2: 918 1305
open 3: 760 -467
open 4: 1836 282
open 5: 10 -1
open 6: -49 -273
open 7: -444 -347
open 8: 737 -650
open 9: -1065 487
pair 0: 1357 1644
pair 1: 270 1138
pair 10: 5041 292
pair 11: -362 57
pair 2: 2898 1661
pair 3: 4121 1107
pair 4: 648 576
pair 5: 431 1876
pair 6: 1749 114
pair 7: 4315 1355
pair 8: 276 1402
pair 9: 513 2893
pans 4: 2467 945
squares 0: 2835 2871
squares 2: 647 220
squares 3: 1224 129
squares 5: -148 -343
squares 6: -155 -198
stones: -518 -1315
tool 16: 109 132
tool 2: -3 302
tool 32: 222 -71
tool 4096: 370 -441
trail 0: 1897 1900
trail 10: 652 -163
trail 11: -627 -944
trail 12: -317 -383
trail 13: -741 -2852
trail 3: 1814 1787
trail 6: 1587 1414
trail 8: -132 1750
trail 9: 320 283
uses: 0 0
wanted 10: -291 -63
wanted 13: -3227 2539
wanted 18: 1718 -474
wanted 2: 606 -1732
wanted 4: 1477 -1180
wanted 6: 3207 -2500
wanted 8: 1711 -1506
"""
