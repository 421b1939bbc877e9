"""The way back: under which conventions, or by which mistakes, does a reported number come out?"""
